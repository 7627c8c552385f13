import { describe, expect } from "vitest";
import { writeFiles } from "../harness/git/git.ts";
import type { Room } from "./room.ts";
import { onBoth } from "./room-suite.ts";
import { serveOneTeamServer } from "./room-team.ts";

const server = serveOneTeamServer();

async function withTickets(room: Room): Promise<void> {
  const criteria = ["--criterion", "The cookie is gone", "--criterion", "The page says so"];
  const files = ["--file", "create:src/logout.ts", "--file", "src/auth.ts"];
  await room.forge(["create", "Add logout", "--priority", "high", "--type", "feature", ...criteria, ...files]);
  await room.forge(["create", "Second", "--status", "ready", "--assignee", "me", "--description", "Of two."]);
  await room.forge(["create", "Third", "--status", "validated", "--assignee", "grace"]);
}

describe("the commands say the same of the project's own tickets and of a team's", () => {
  onBoth(server, "create", async (room) => {
    await withTickets(room);
    expect((await room.forge("create Fourth --json")).code).toBe(0);
    await room.forge("create", { lines: ["", "Asked for", "One", "Two", ""] });
    await room.forge("create", { lines: ["Gone away"] });
    await room.forge(["create", "ab"]);
    await room.forge(["create", "x".repeat(301)]);
    await room.forge(["create", "No such status", "--status", "nowhere"]);
    await room.forge(["create", "Done at once", "--status", "complete"]);
    await room.forge(["create", "Outside", "--file", "../x"]);
    await room.forge(["create", "Long", "--criterion", "x".repeat(10_001)]);
    await room.forge(["create", "By a script"], { atKeyboard: false });
    expect((await room.json<{ tickets: unknown[] }>("list")).tickets).toHaveLength(6);
  });

  onBoth(server, "list", async (room) => {
    expect((await room.forge("list")).err).toContain("No tickets yet.");
    await withTickets(room);
    await room.forge("status T-003 archived");
    for (const options of [
      "",
      "--json",
      "--plain",
      "--tsv",
      "--all --plain",
      "cookie",
      "zzz",
      "--status ready,forged",
      "--status nowhere",
      "--assignee me",
      "--assignee grace --all",
      "--priority high --type feature",
      "--limit 1",
      "--limit 1 --status draft --status ready --plain",
      "--limit 0",
      "--cursor nonsense",
      "--cursor 1",
    ])
      await room.forge(`list ${options}`.trim());
    const { nextCursor } = await room.json<{ nextCursor: string }>("list --limit 1");
    expect((await room.forge(["list", "--cursor", nextCursor, "--plain"])).out).toContain("T-001");
  });

  onBoth(server, "show", async (room) => {
    await withTickets(room);
    for (const line of ["show t-1", "show T-001 --json", "show T-001 --history", "show T-002 --history --json"])
      expect((await room.forge(line)).code).toBe(0);
    for (const id of ["T-011", "T-999", "../x", "acme-1", "."]) expect((await room.forge(["show", id])).code).toBe(1);
  });

  onBoth(server, "status and assign", async (room) => {
    await withTickets(room);
    for (const line of [
      "status T-001",
      "status t-1 --json",
      "status T-001 complete",
      "status T-001 nowhere",
      "status T-001 forged",
      "status T-001 ready",
      "status T-001 executing --json",
      "show T-001",
      "status T-001 archived",
      "status T-001 draft",
      "status T-001",
      "status T-001 created",
      "status T-009 ready",
      "assign T-001",
      "assign T-001 grace",
      "assign T-001 grace --json",
      "assign T-001 --none",
      "assign T-001 --none --json",
      "assign T-009 me",
      "show T-001 --history",
    ])
      await room.forge(line);
    await room.forge(["assign", "T-001", "x".repeat(201)]);
    await room.forge(["assign", "T-001", " "]);
  });

  onBoth(server, "questions", async (room) => {
    await withTickets(room);
    await room.forge("questions T-001");
    await room.forge(["questions", "T-001", "--ask", "For guests too?", "--blocking", "--category", "scope"]);
    await room.forge(["questions", "T-001", "--ask", "Since when?", "--ask", "For guests too?", "--json"]);
    for (const words of [
      ["--answer", "Q-9=No."],
      ["--answer", `${"Q".repeat(60)}=No.`],
      ["--answer", "Q-1"],
      ["--ask", "?"],
    ])
      expect((await room.forge(["questions", "T-001", ...words])).code).toBe(1);
    await room.forge(["questions", "T-001", "--answer", "q-1=Yes."]);
    await room.forge("questions T-001 -i", { lines: ["Since ever.", ""] });
    await room.forge(["questions", "T-001", "--answer", "Q-1=Or no.", "--json"]);
    expect((await room.forge("show T-001 --history")).out).toContain("Or no.");
    await room.forge(["questions", "T-009", "--ask", "Which one?"]);
    await room.forge("questions T-002 -i", { atKeyboard: false });
  });

  onBoth(server, "edit", async (room) => {
    await withTickets(room);
    const replacing = (from: string, to: string) => (text: string) => text.replace(from, to);
    const edited = await room.forge("edit t-1", { edits: [replacing("The page says so", "The page says it")] });
    expect(edited.out).toBe("Saved T-001.\n");
    await room.forge("show T-001 --json --history");
    await room.forge("edit T-001", { edits: [(text) => text] });
    const shown: string[] = [];
    const untitled = (text: string) => {
      shown.push(text);
      return text.replace("Add logout", "");
    };
    await room.forge("edit T-001", { edits: [untitled], lines: ["k"] });
    room.note("the text", shown);
    await room.forge("edit T-001", { edits: [replacing("T-001", "T-007")], lines: ["k"] });
    await room.forge("edit T-001", { edits: [replacing("DRAFT", "COMPLETE")], lines: ["k"] });
    await room.forge("edit T-001", { edits: [replacing("DRAFT", "READY"), (text) => text] });
    const meanwhile = async (text: string) => {
      await room.retitle("T-001", "Changed by another");
      return text.replace("Add logout", "Changed by me");
    };
    const late = await room.forge("edit T-001", { edits: [meanwhile, (text) => text], lines: ["e"] });
    expect(late.err).toContain("Changed by another");
    await room.forge("show T-001 --history");
    await room.forge("edit T-009", { edits: [(text) => text] });
    await room.forge("edit T-001");
  });

  onBoth(server, "execute and review for an assistant on a pipe", async (room) => {
    room.repository({ "src/auth.ts": "export {};\n" });
    await withTickets(room);
    await room.forge("execute T-001", { atKeyboard: false });
    await room.forge("review T-001", { atKeyboard: false });
    await room.forge("execute T-009", { atKeyboard: false });
    await room.forge("execute T-003", {
      atKeyboard: false,
      served: async (program) => {
        const assistant = await room.serve(program, "claude-code");
        const second = await room.connect("second");
        const { value } = await second.call("update_ticket_status", { ticketId: "T-003", status: "DRAFT" });
        expect(value["code"]).toBe("CONFLICT_ERROR");
        await assistant.prompt("forge_execute", "T-003");
        await assistant.call("update_ticket_status", { ticketId: "T-003", status: "READY" });
        await assistant.call("claim_ticket", { ticketId: "T-003", minutes: 5 });
        await assistant.call("claim_ticket", { ticketId: "T-003", release: true });
        await assistant.call("claim_ticket", { ticketId: "T-003" });
        await room.forge("show T-003");
        await assistant.call("claim_ticket", { ticketId: "T-003", release: true });
        await assistant.call("update_ticket_status", { ticketId: "T-003", status: "CREATED" });
        await assistant.call("update_ticket_status", { ticketId: "T-002", status: "CREATED" });
      },
    });
    expect(await room.json("show T-003 --history")).not.toHaveProperty("claim");
    await room.forge("execute T-003", { atKeyboard: false });
    await room.forge("assign T-003");
    await room.forge("execute T-003", { atKeyboard: false });
    await room.forge("review T-003", {
      atKeyboard: false,
      served: async (program) => {
        const assistant = await room.serve(program, "claude-code");
        await assistant.prompt("forge_review", "T-003");
        await assistant.call("submit_review_questions", { ticketId: "T-003", questions: [{ question: "Why now?" }] });
        await assistant.call("get_ticket_context", { ticketId: "T-003" });
      },
    });
    await room.forge("show T-003 --history");
  });

  onBoth(server, "execute and review for a person at a terminal", async (room) => {
    await withTickets(room);
    await room.forge("execute T-002 --launch", {
      served: async () => {
        const { call } = await room.connect("claude-code");
        await call("get_ticket_context", { ticketId: "T-002" });
        await call("update_ticket_status", { ticketId: "T-002", status: "CREATED" });
      },
    });
    await room.forge("execute T-003", { until: "Press Ctrl+C to stop." });
    await room.forge("review T-002 --json", { until: "CREATED" });
    await room.forge("review T-001");
    await room.forge("execute T-002 --launch nobody");
    await room.forge("show T-002 --history");
  });

  onBoth(server, "complete, and what the ledger says of it all", async (room) => {
    room.repository({ "src/auth.ts": "export {};\n" });
    await withTickets(room);
    await room.forge("complete T-002");
    await room.forge("execute T-002", { atKeyboard: false });
    await room.forge("status T-002 created");
    writeFiles(room.cwd, { "src/auth.ts": "export const a = 1;\n", "src/logout.ts": "export {};\n" });
    room.git("add", "--all");
    await room.forge(["complete", "T-002", "--summary", "x".repeat(10_001)]);
    await room.forge(["complete", "T-002", "--divergence", "one|two"]);
    const many = Array.from({ length: 51 }, (_, index) => ["--divergence", `area ${index}|a|b|c`]).flat();
    expect((await room.forge(["complete", "T-002", ...many])).code).toBe(1);
    const done = await room.forge(["complete", "T-002", "--summary", "Done.", "--divergence", "UI|a|b|c"]);
    expect(done.out).toContain("2 files changed");
    await room.forge("complete T-002");
    await room.forge("complete T-009");
    await room.forge("show T-002 --history");
    await room.forge("show T-002 --json");
    await room.forge("log --json");
    const { out } = await room.forge("log --json --about ticket:T-002");
    expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["forge create", "forge execute", "forge status", "forge complete"]),
    );
  });

  onBoth(server, "tools, prompts and resources called by a person", async (room) => {
    await withTickets(room);
    for (const line of [
      "call get_ticket_context ticketId=T-001",
      "call list_tickets --json",
      "call update_ticket ticketId=T-001 title=Other expectedRevision=7",
      "call update_ticket_status ticketId=T-001 status=READY",
      "call claim_ticket ticketId=T-001",
      "show T-001",
      "call claim_ticket ticketId=T-001 release=true",
      "call claim_ticket ticketId=T-001 worker=w",
      "call claim_ticket ticketId=T-001 worker=w2",
      "call claim_ticket ticketId=T-009",
      "prompt forge_execute ticketId=T-001",
      "prompt forge_execute ticketId=T-009",
      "resource forge://tickets",
      "resource forge://tickets/T-001",
      "resource forge://tickets/T-009",
    ])
      await room.forge(line);
    await room.forge("call claim_ticket ticketId=T-002", { atKeyboard: false });
    await room.forge("call claim_ticket ticketId=T-002 worker=w", { atKeyboard: false });
    await room.forge("status T-002 created", { atKeyboard: false });
    await room.forge("log --json");
    for (const words of [
      "show T",
      "status T-001 ",
      "assign T-001 ",
      "questions T-001 --answer ",
      "execute t-00",
      "export s",
    ])
      await room.forge(["__complete", "--", ...words.split(" ")]);
  });
});
