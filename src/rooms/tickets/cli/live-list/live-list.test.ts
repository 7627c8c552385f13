import { describe, expect, it } from "vitest";
import { MemoryApp, run } from "../../../../../test/harness/cli.ts";
import { MemoryDesk, memoryTicket } from "../../../../../test/harness/memory-desk.ts";
import { MemoryTerminal } from "../../../../../test/harness/memory-terminal.ts";
import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { TicketFilter, TicketPage } from "../../model/ticket.ts";
import { liveList } from "./index.ts";

/** Filters and pages as a real desk does. */
class PagingDesk extends MemoryDesk {
  override async list(filter: TicketFilter): Promise<TicketPage> {
    const { tickets } = await super.list(filter);
    const { text = "", status, assignee, limit = 50, cursor = "0" } = filter;
    const fitting = tickets.filter(
      (ticket) =>
        ticket.title.includes(text) &&
        (!status || status.includes(ticket.status)) &&
        (!assignee || ticket.assignee === (assignee === "me" ? "ada" : assignee)),
    );
    const end = Number(cursor) + limit;
    return {
      tickets: fitting.slice(Number(cursor), end),
      ...(end < fitting.length && { nextCursor: String(end) }),
    };
  }

  many(count: number): this {
    this.tickets = Array.from({ length: count }, (_, index) =>
      memoryTicket({ id: idOf(index), title: `Number ${index}` }),
    );
    return this;
  }

  get asked(): TicketFilter[] {
    return this.deeds.filter(([deed]) => deed === "list").map(([, filter]) => Object(filter));
  }
}

const idOf = (index: number) => `T-${String(index + 1).padStart(3, "0")}`;

function start(desk = new PagingDesk(), filter: TicketFilter = {}) {
  const app = new MemoryApp();
  const terminal = new MemoryTerminal();
  app.desk = desk;
  const command = defineCommand({
    name: "live",
    summary: "",
    examples: [],
    settings: [],
    group: "look",
    run: (given: App, _input, out) => liveList(given, filter, out, terminal),
  });
  const ended = run("live", { app, commands: [command] });
  return { app, desk, terminal, ended };
}

const selectedLine = (screen: string) => screen.split("\n").find((line) => line.startsWith("> ")) ?? "";

describe("the live list", () => {
  it("says at its foot that it is a copy, for as long as it is", async () => {
    const desk = new PagingDesk().many(3);
    const list = desk.list.bind(desk);
    const said = "As of 2026-11-03";
    desk.list = async (filter) => ({ ...(await list(filter)), stale: "2026-11-03T12:00:00.000Z" });
    const { terminal, ended } = start(desk);
    await terminal.until(said);
    expect(terminal.screen.trimEnd().split("\n").at(-1)).toContain(said);
    desk.list = list;
    await desk.assign("T-001", "grace");
    await terminal.until("q quit");
    expect(terminal.screen).not.toContain(said);
    terminal.press("q");
    await ended;
  });

  it("shows the tickets, moves with the keys and quits", async () => {
    const { terminal, ended } = start(new PagingDesk().many(3));
    await terminal.until("T-003");
    expect(selectedLine(terminal.screen)).toContain("T-001");
    terminal.press("j\x1b[B");
    expect(selectedLine(terminal.screen)).toContain("T-003");
    terminal.press("k");
    expect(selectedLine(terminal.screen)).toContain("T-002");
    terminal.press("\x1b[F");
    expect(selectedLine(terminal.screen)).toContain("T-003");
    terminal.press("q");
    expect(await ended).toMatchObject({ code: 0, out: "", err: "" });
    expect(terminal.isTaken).toBe(false);
  });

  it.each([["\x03"], ["q"]])("leaves on %j", async (key) => {
    const { terminal, ended } = start();
    await terminal.until("T-001");
    terminal.press(key);
    expect((await ended).code).toBe(0);
  });

  it("leaves when the terminal is gone", async () => {
    const { terminal, ended } = start();
    await terminal.until("T-001");
    terminal.close();
    expect((await ended).code).toBe(0);
  });

  it("fits 40 columns and 10 rows, and follows a new size", async () => {
    const { terminal } = start(new PagingDesk().many(30));
    await terminal.until("T-001");
    terminal.resize({ columns: 40, rows: 10 });
    expect(terminal.lines).toHaveLength(10);
    terminal.press("\x1b[6~\x1b[6~");
    await terminal.until((screen) => selectedLine(screen).includes("T-015"));
    for (const line of terminal.lines) expect(line.length).toBeLessThan(40);
    terminal.press("q");
  });

  it("loads further pages as one comes near their end", async () => {
    const { terminal, desk } = start(new PagingDesk().many(500));
    await terminal.until("T-001");
    const first = desk.asked.length;
    terminal.press("\x1b[F");
    await terminal.until((screen) => screen.startsWith("Tickets 131+"));
    expect(desk.asked.slice(first)).toMatchObject([{ cursor: "44" }]);
    terminal.press("q");
  });

  it("filters as one types, with one question for what was typed meanwhile", async () => {
    const { terminal, desk } = start(new PagingDesk().many(30));
    await terminal.until("Tickets 30");
    const before = desk.asked.length;
    terminal.press("/Number 17");
    await terminal.until((screen) => screen.startsWith("Tickets 1") && screen.includes("T-018"));
    const texts = desk.asked.slice(before).map(({ text }) => text);
    expect(texts.at(-1)).toBe("Number 17");
    expect(texts.length).toBeLessThanOrEqual(2);
    terminal.press("\x1b");
    await terminal.until("Tickets 30");
    terminal.press("q");
  });

  it("s goes round the statuses, a between mine and all", async () => {
    const desk = new PagingDesk();
    desk.tickets = [
      memoryTicket({ id: "T-001", status: "READY" }),
      memoryTicket({ id: "T-002", status: "DRAFT", assignee: "ada" }),
    ];
    const { terminal } = start(desk);
    await terminal.until("T-002");
    terminal.press("s");
    await terminal.until((screen) => screen.includes("T-002") && !screen.includes("T-001"));
    expect(terminal.lines[0]).toContain("DRAFT");
    terminal.press("s");
    await terminal.until("No ticket fits.");
    for (let round = 0; round < 11; round++) terminal.press("s");
    await terminal.until("T-001");
    terminal.press("a");
    await terminal.until((screen) => screen.includes("T-002") && !screen.includes("T-001"));
    terminal.press("q");
  });

  it("begins with what the command line asked for", async () => {
    const { terminal, desk } = start(new PagingDesk().many(3), {
      text: "Number",
      status: ["READY"],
      assignee: "me",
      priority: "high",
      limit: 7,
    });
    await terminal.until("No ticket fits.");
    expect(desk.asked[0]).toMatchObject({ text: "Number", status: ["READY"], assignee: "me", priority: "high" });
    terminal.press("a");
    await terminal.until("T-003");
    expect(desk.asked.at(-1)).not.toHaveProperty("assignee");
    terminal.press("q");
  });

  it("follows changes by others and keeps the selected ticket by its id", async () => {
    const { terminal, desk } = start(new PagingDesk().many(3));
    await terminal.until("T-003");
    terminal.press("j");
    desk.tickets = [memoryTicket({ id: "T-009", title: "Newest" }), ...desk.tickets];
    await desk.move("T-001", "CREATED");
    await terminal.until("T-009");
    expect(selectedLine(terminal.screen)).toContain("T-002");
    expect(terminal.screen).toContain("CREATED");
    terminal.press("q");
  });

  it("shows a ticket whole, scrolls in it, follows its changes and goes back", async () => {
    const desk = new PagingDesk();
    const words = Array.from({ length: 60 }, (_, index) => `Line ${index}`).join("\n");
    desk.tickets = [memoryTicket({ description: words })];
    const { terminal } = start(desk);
    await terminal.until("T-001");
    terminal.press("\r");
    await terminal.until("Line 3");
    terminal.press("\x1b[F");
    expect(terminal.screen).toContain("AC-1");
    terminal.press("\x1b[H");
    await desk.move("T-001", "CREATED");
    await terminal.until("CREATED, can become");
    terminal.press("x");
    expect(terminal.screen).toContain("forge execute T-001");
    terminal.press("\x1b");
    expect(selectedLine(terminal.screen)).toContain("T-001");
    terminal.press("q");
  });

  it("says what failed and goes on", async () => {
    const { terminal, desk, ended } = start(new PagingDesk().many(100));
    await terminal.until("T-001");
    desk.list = async () => {
      throw new ForgeError("STORE_ERROR", "The store is away.");
    };
    terminal.press("\x1b[F");
    await terminal.until("The store is away.");
    terminal.press("q");
    expect((await ended).code).toBe(0);
  });

  it("ends with the error where there is no list to show at all", async () => {
    const desk = new PagingDesk();
    desk.list = async () => {
      throw new ForgeError("STORE_ERROR", "The store is away.");
    };
    const { terminal, ended } = start(desk);
    expect(await ended).toMatchObject({ code: 2, err: expect.stringContaining("The store is away.") });
    expect(terminal.isTaken).toBe(false);
  });

  it("gives the terminal to the editor and takes it back", async () => {
    const { app, terminal, desk } = start();
    await terminal.until("T-001");
    let wasTaken: boolean | undefined;
    app.ask = async () => undefined;
    app.editor = {
      open: async (name) => ({
        path: `/tmp/${name}.md`,
        edit: async () => {
          wasTaken = terminal.isTaken;
          return { code: 0 };
        },
        read: async () => "another text",
        exists: () => true,
        write: async () => undefined,
        layBeside: async () => "",
        remove: async () => undefined,
      }),
    };
    terminal.press("ee");
    await terminal.until(() => terminal.asides === 1 && terminal.isTaken);
    expect(wasTaken).toBe(false);
    expect(desk.deeds).toContainEqual(["saveEdited", "T-001", { text: "another text", revision: 3 }]);
    terminal.press("q");
  });

  it("C04 shows what a hostile title holds and obeys none of it", async () => {
    const desk = new PagingDesk();
    const evil = "\x1b[2J\x1b]0;owned\x07\u202egpj\u0000\nnext";
    desk.tickets = [memoryTicket({ title: evil, assignee: evil, description: evil })];
    const { terminal } = start(desk, { text: "" });
    await terminal.until("T-001");
    expect(terminal.lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    terminal.press("\r");
    await terminal.until("Description");
    expect(terminal.lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    terminal.press("q");
    terminal.press("q");
  });
});
