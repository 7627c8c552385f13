import { describe, expect, it } from "vitest";
import { MemoryTerminal } from "../../../../../test/harness/cli/memory-terminal.ts";
import {
  aroundCalls,
  atTerminal,
  MemoryEditor,
  TicketCli,
} from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { userName } from "../../../../platform/host/user-name.ts";

type Around = Parameters<typeof aroundCalls>[0];
type Filter = Record<string, unknown>;

/** Tickets T-001 to T-00N; the newest is the last. */
async function withTickets(count: number): Promise<TicketCli> {
  const cli = new TicketCli();
  const tickets = Array.from({ length: count }, (_, index) => ({ title: `Number ${index + 1}`, status: "READY" }));
  await cli.do(["import", cli.file("many.json", JSON.stringify(tickets))]);
  return cli;
}

function start(cli: TicketCli, line = "list", around: Around = (_name, _input, call) => call(), editor?: MemoryEditor) {
  const terminal = new MemoryTerminal();
  const asked: Filter[] = [];
  const person = atTerminal({ live: terminal, lines: [], ...(editor && { editor }) });
  const spy = aroundCalls((name, input, call) => {
    if (name === "list_tickets") asked.push(input);
    return around(name, input, call);
  });
  const ended = cli.run(line, { with: (app) => ({ ...person(app), ...spy(app) }) });
  return { terminal, ended, asked };
}

const selectedLine = (screen: string) => screen.split("\n").find((line) => line.startsWith("> ")) ?? "";

describe("the live list", () => {
  it("says in its last line that it is an old copy, for as long as it is", async () => {
    const cli = await withTickets(3);
    let isAway = true;
    const { terminal, ended } = start(cli, "list", async (_name, _input, call) => ({
      ...Object(await call()),
      ...(isAway && { stale: "2026-11-03T12:00:00.000Z" }),
    }));
    const note = "This is the last known copy, as of 2026-11-03";
    await terminal.until(note.slice(0, 30));
    expect(terminal.screen.trimEnd().split("\n").at(-1)).toContain("last known copy");
    isAway = false;
    await cli.do("assign T-001 grace");
    await terminal.until("q quit");
    expect(terminal.screen).not.toContain("last known copy");
    terminal.press("q");
    await ended;
  });

  it("shows the tickets, moves with the keys and quits", async () => {
    const { terminal, ended } = start(await withTickets(3));
    await terminal.until("T-001");
    expect(selectedLine(terminal.screen)).toContain("T-003");
    terminal.press("j\x1b[B");
    expect(selectedLine(terminal.screen)).toContain("T-001");
    terminal.press("k");
    expect(selectedLine(terminal.screen)).toContain("T-002");
    terminal.press("\x1b[F");
    expect(selectedLine(terminal.screen)).toContain("T-001");
    terminal.press("q");
    expect(await ended).toMatchObject({ code: 0, out: "", err: "" });
    expect(terminal.isTaken).toBe(false);
  });

  it.each([["\x03"], ["q"]])("ends on %j", async (key) => {
    const { terminal, ended } = start(await withTickets(1));
    await terminal.until("T-001");
    terminal.press(key);
    expect((await ended).code).toBe(0);
  });

  it("ends when the terminal is gone", async () => {
    const { terminal, ended } = start(await withTickets(1));
    await terminal.until("T-001");
    terminal.close();
    expect((await ended).code).toBe(0);
  });

  it("fits 40 columns and 10 rows, and follows a new size", async () => {
    const { terminal, ended } = start(await withTickets(30));
    await terminal.until("T-030");
    terminal.resize({ columns: 40, rows: 10 });
    expect(terminal.lines).toHaveLength(10);
    terminal.press("\x1b[6~\x1b[6~");
    await terminal.until((screen) => selectedLine(screen).includes("T-016"));
    for (const line of terminal.lines) expect(line.length).toBeLessThan(40);
    terminal.press("q");
    await ended;
  });

  it("loads further pages when their end comes near", async () => {
    const { terminal, ended, asked } = start(await withTickets(500));
    await terminal.until("T-500");
    const before = asked.length;
    terminal.press("\x1b[F");
    await terminal.until((screen) => screen.startsWith("Tickets 131+"));
    expect(asked.slice(before)).toMatchObject([{ cursor: expect.any(String) }]);
    terminal.press("q");
    await ended;
  });

  it("filters while typing, and loads once for all that was typed in the meantime", async () => {
    const { terminal, ended, asked } = start(await withTickets(30));
    await terminal.until("Tickets 30");
    const before = asked.length;
    terminal.press("/Number 17");
    await terminal.until((screen) => screen.startsWith("Tickets 1") && screen.includes("T-017"));
    const texts = asked.slice(before).map(({ text }) => text);
    expect(texts.at(-1)).toBe("Number 17");
    expect(texts.length).toBeLessThanOrEqual(2);
    terminal.press("\x1b");
    await terminal.until("Tickets 30");
    terminal.press("q");
    await ended;
  });

  it("s cycles through the statuses, a switches between mine and all", async () => {
    const cli = await withTickets(1);
    await cli.do("create Draft --assignee me");
    const { terminal, ended } = start(cli);
    await terminal.until("T-002");
    terminal.press("s");
    await terminal.until((screen) => screen.includes("T-002") && !screen.includes("T-001"));
    expect(terminal.lines[0]).toContain("DRAFT");
    terminal.press("s");
    await terminal.until("No matching tickets.");
    for (let round = 0; round < 11; round++) terminal.press("s");
    await terminal.until("T-001");
    terminal.press("a");
    await terminal.until((screen) => screen.includes("T-002") && !screen.includes("T-001"));
    terminal.press("q");
    await ended;
  });

  it("starts with the filter of the command line", async () => {
    const line = "list Number --status ready --assignee me --limit 7";
    const { terminal, ended, asked } = start(await withTickets(3), line);
    await terminal.until("No matching tickets.");
    expect(asked[0]).toMatchObject({ text: "Number", status: ["READY"], assignee: "me" });
    terminal.press("a");
    await terminal.until("T-003");
    expect(asked.at(-1)).not.toHaveProperty("assignee");
    terminal.press("q");
    await ended;
  });

  it("follows changes by others and keeps the selected ticket by its id", async () => {
    const cli = await withTickets(3);
    const { terminal, ended } = start(cli);
    await terminal.until("T-001");
    terminal.press("j");
    await cli.do("create Newest");
    await cli.do("status T-001 created");
    await terminal.until((screen) => screen.includes("T-004") && screen.includes("CREATED"));
    expect(selectedLine(terminal.screen)).toContain("T-002");
    terminal.press("q");
    await ended;
  });

  it("shows a ticket in full, scrolls in it, follows its changes and goes back", async () => {
    const cli = new TicketCli();
    const words = Array.from({ length: 60 }, (_, index) => `Line ${index}`).join("\n");
    await cli.add({ description: words, acceptanceCriteria: ["One"] });
    const { terminal, ended } = start(cli);
    await terminal.until("T-001");
    terminal.press("\r");
    await terminal.until("Line 3");
    terminal.press("\x1b[F");
    expect(terminal.screen).toContain("AC-1");
    terminal.press("\x1b[H");
    await cli.do("status T-001 created");
    await terminal.until("CREATED, can move to");
    terminal.press("\x1b");
    expect(selectedLine(terminal.screen)).toContain("T-001");
    terminal.press("q");
    await ended;
    // What the person asked for is recorded once; that the screen was kept current is not.
    const entries = JSON.parse(await cli.do("log --json")) as { name: string }[];
    const reads = entries.map(({ name }) => name).filter((name) => /list|show/.test(name));
    expect(reads).toEqual(["forge list", "forge show"]);
  });

  it("shows an error and continues", async () => {
    let isAway = false;
    const { terminal, ended } = start(await withTickets(100), "list", (_name, _input, call) => {
      if (isAway) throw new ForgeError("STORE_ERROR", "The store is away.");
      return call();
    });
    await terminal.until("T-100");
    isAway = true;
    terminal.press("\x1b[F");
    await terminal.until("The store is away.");
    terminal.press("q");
    expect((await ended).code).toBe(0);
  });

  it("ends with the error where nothing could be loaded at all", async () => {
    const { terminal, ended } = start(await withTickets(1), "list", () => {
      throw new ForgeError("STORE_ERROR", "The store is away.");
    });
    expect(await ended).toMatchObject({ code: 2, err: expect.stringContaining("The store is away.") });
    expect(terminal.isTaken).toBe(false);
  });

  it("gives the terminal to the editor and takes it back", async () => {
    const cli = await withTickets(1);
    let wasTaken: boolean | undefined;
    const editor = new MemoryEditor((text) => {
      wasTaken = terminal.isTaken;
      return text.replace("# Number 1", "# Edited");
    });
    const { terminal, ended } = start(cli, "list", undefined, editor);
    await terminal.until("T-001");
    terminal.press("ee");
    await terminal.until((screen) => terminal.asides === 1 && terminal.isTaken && screen.includes("Edited"));
    expect(wasTaken).toBe(false);
    terminal.press("q");
    await ended;
    expect(await cli.json("show T-001")).toMatchObject({ title: "Edited", updatedBy: userName() });
  });

  it("? shows every key, and any key goes back", async () => {
    const { terminal, ended } = start(await withTickets(1));
    await terminal.until("T-001");
    terminal.press("?");
    expect(terminal.screen).toContain("Move the ticket to another status");
    expect(terminal.screen).toContain("Clear all filters");
    terminal.press("q");
    expect(selectedLine(terminal.screen)).toContain("T-001");
    terminal.press("q");
    expect((await ended).code).toBe(0);
  });

  it("n creates a ticket, m moves it and A assigns it; Esc cancels, and a wrong word is explained", async () => {
    const cli = await withTickets(1);
    const { terminal, ended } = start(cli);
    await terminal.until("T-001");
    terminal.press("nNever");
    expect(terminal.screen).toContain("Title: Never_");
    terminal.press("\x1b");
    terminal.press("nAdd a lisp\x7ft\r");
    await terminal.until("Created T-002.");
    await terminal.until((screen) => selectedLine(screen).includes("Add a list"));
    terminal.press("m");
    expect(terminal.screen).toContain("in_question_round_1, validated, ready, archived");
    terminal.press("ready\r");
    await terminal.until("Moved T-002 to READY.");
    terminal.press("mnonsense\r");
    await terminal.until("nonsense");
    terminal.press("Agrace\r");
    await terminal.until("Assigned T-002 to grace.");
    await terminal.until((screen) => selectedLine(screen).includes("grace"));
    terminal.press("Ame\r");
    await terminal.until((screen) => /Assigned T-002 to (?!me\.)/.test(screen));
    terminal.press("A\r");
    await terminal.until("T-002 is now unassigned.");
    terminal.press("q");
    await ended;
    expect(await cli.json("show T-002")).toMatchObject({ title: "Add a list", status: "READY" });
    const entries = JSON.parse(await cli.do("log --json")) as { name: string }[];
    expect(entries.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["forge create", "forge status", "forge assign"]),
    );
  });

  it("x runs the ticket on the same terminal, and says why one cannot be run", async () => {
    const cli = await withTickets(1);
    await cli.do("create Draft");
    const { terminal, ended } = start(cli);
    await terminal.until("T-002");
    terminal.press("x");
    await terminal.until((screen) => terminal.asides === 1 && terminal.isTaken && screen.includes("DRAFT"));
    expect(terminal.screen.trimEnd().split("\n").at(-1)).toContain("T-002");
    terminal.press("q");
    await ended;
  });

  it("Esc clears every filter, also those of the command line", async () => {
    const cli = await withTickets(2);
    await cli.do("assign T-001 grace");
    const { terminal, ended, asked } = start(cli, "list --assignee grace --status ready");
    await terminal.until((screen) => screen.includes("T-001") && !screen.includes("T-002"));
    terminal.press("\x1b");
    await terminal.until("T-002");
    expect(asked.at(-1)).not.toHaveProperty("assignee");
    expect(asked.at(-1)).not.toHaveProperty("status");
    terminal.press("/2\r");
    await terminal.until((screen) => !screen.includes("T-001"));
    terminal.press("\x1b");
    await terminal.until("T-001");
    terminal.press("q");
    await ended;
  });

  it("C04 shows what a hostile title contains and follows none of it", async () => {
    const cli = new TicketCli();
    const evil = "\x1b[2J\x1b]0;owned\x07\u202egpj\nnext";
    await cli.add({ title: evil, assignedTo: evil, description: evil });
    const { terminal, ended } = start(cli);
    await terminal.until("T-001");
    expect(terminal.lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    terminal.press("\r");
    await terminal.until("Description");
    expect(terminal.lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    terminal.press("q");
    terminal.press("q");
    await ended;
  });
});
