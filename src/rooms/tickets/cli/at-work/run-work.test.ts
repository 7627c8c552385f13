import { describe, expect, it } from "vitest";
import { CapturedStream, callRecord, MemoryApp, run } from "../../../../../test/harness/cli.ts";
import { memoryTicket } from "../../../../../test/harness/memory-desk.ts";
import { ForgeError } from "../../../../kernel/errors.ts";

function makeApp(given: { atKeyboard?: boolean } = {}): MemoryApp {
  const app = new MemoryApp();
  app.atKeyboard = given.atKeyboard ?? true;
  return app;
}

const begun = (app: MemoryApp) => app.desk.deeds.filter(([deed]) => deed === "begin");

describe.each(["execute", "review"] as const)("forge %s", (gate) => {
  it("on a pipe takes the ticket, then serves the tickets tools, and writes nothing itself", async () => {
    const app = makeApp({ atKeyboard: false });
    expect(await run(`${gate} T-001`, { app })).toMatchObject({ code: 0, out: "", err: "" });
    expect(begun(app)).toEqual([["begin", gate, "T-001", true]]);
    expect(app.calls).toEqual([["serveStdio", { toolsets: "tickets", profile: undefined, readOnly: false }]]);
  });

  it("on a pipe serves nothing where the gate is closed, and says on stderr what would open it", async () => {
    const app = makeApp({ atKeyboard: false });
    app.desk.tickets = [memoryTicket({ status: "DRAFT" })];
    const { code, out, err } = await run(`${gate} T-001`, { app });
    expect([code, out, app.calls]).toEqual([1, "", []]);
    expect(err).toContain("T-001 is DRAFT; a ticket can be");
    expect(err).toContain("READY or VALIDATED");
  });

  it("on a terminal says how to connect, and shows what assistants do until it ends", async () => {
    const app = makeApp();
    app.coming = [callRecord({ id: "1", name: "get_ticket_context" }), callRecord({ id: "2", kind: "command" })];
    const { code, out, err } = await run(`${gate} t-001`, { app });
    expect(code).toBe(0);
    expect(out).toContain("T-001 is READY");
    expect(out).toContain(`Open Claude Code here and run /mcp__forge__forge_${gate} T-001\n`);
    expect(out).toContain(`the prompt forge_${gate} of the server forge, with ticketId T-001`);
    expect(out).toContain("`forge init`");
    expect(out.split("\n").filter((line) => line.includes("get_ticket_context"))).toHaveLength(1);
    expect(out).toContain("T-001 is READY; 1 call by assistants.");
    expect(err).toContain("Ctrl+C");
    expect(begun(app)).toEqual([["begin", gate, "t-001", false]]);
    expect(app.calls).toEqual([
      ["followActivity", { limit: 0, since: undefined, name: undefined, about: "ticket:T-001" }],
    ]);
  });

  it("--launch starts Claude Code with what it is to do, and says what came of it", async () => {
    const app = makeApp();
    app.launch = async (program, args) => {
      app.calls.push(["launch", program, args]);
      await app.desk.move("T-001", "CREATED");
      return { code: 0 };
    };
    const { code, out } = await run(`${gate} T-001 --launch`, { app });
    expect(code).toBe(0);
    const words = expect.stringContaining(`forge_${gate} with ticketId T-001`);
    expect(app.calls).toContainEqual(["launch", "claude", [words]]);
    expect(out).toContain("T-001 is CREATED; 0 calls by assistants.");
  });
});

describe("forge execute", () => {
  it("says whose the ticket is", async () => {
    expect((await run("execute T-001", { app: makeApp() })).out).toContain("T-001 is READY and now yours (ada).");
    const app = makeApp();
    app.desk.tickets = [memoryTicket({ assignee: "grace" })];
    expect((await run("execute T-001", { app })).out).toContain("T-001 is READY and grace's.");
  });

  it("does not send to forge init where it has been", async () => {
    const app = makeApp();
    const change = { file: ".mcp.json", action: "delete" as const, reasons: [], diff: "" };
    app.setup = async () => ({
      known: () => [],
      find: () => [],
      plan: () => ({ changes: [], remarks: [], apply: async () => undefined }),
      planRemoval: () => ({ changes: [change], remarks: [], apply: async () => undefined }),
    });
    expect((await run("execute T-001", { app })).out).not.toContain("forge init");
  });

  it("shows where the ticket goes, and on Ctrl+C where it stands", async () => {
    const app = makeApp();
    const stop = new AbortController();
    app.followActivity = async function* () {
      await app.desk.move("T-001", "CREATED");
      yield callRecord({ id: "1" });
      await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
    };
    const stdout = new CapturedStream({ isTTY: true });
    const ended = run("execute T-001", { app, stdout, signal: stop.signal });
    while (!stdout.text.includes("T-001 is CREATED now.")) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    // In the same turn: the process ends right after.
    expect(stdout.text).toMatch(/\n\nT-001 is CREATED; 1 call by assistants\.\n$/);
    expect((await ended).code).toBe(0);
    expect(stdout.text.match(/by assistants/g)).toHaveLength(1);
  });

  it("--json is a line of JSON for each thing", async () => {
    const app = makeApp();
    app.coming = [callRecord({ id: "1" })];
    const { out } = await run("execute T-001 --json", { app });
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { ticketId: "T-001", status: "READY", assigned: true, assignee: "ada" },
      { id: "1", kind: "tool" },
      { ticketId: "T-001", status: "READY", calls: 1 },
    ]);
  });

  it.each([
    ["codex", (words: unknown) => [words]],
    ["gemini", (words: unknown) => ["--prompt-interactive", words]],
    ["cursor-agent", (words: unknown) => [words]],
  ])("--launch %s gives it its first words", async (name, args) => {
    const app = makeApp();
    await run(`execute T-001 --launch ${name}`, { app });
    expect(app.calls).toContainEqual(["launch", name, args(expect.stringContaining("T-001"))]);
  });

  it("--launch of an unknown assistant leaves the ticket alone", async () => {
    const app = makeApp();
    const { code, err } = await run("execute T-001 --launch emacs", { app });
    expect(code).toBe(1);
    expect(err).toContain("claude, codex, gemini, cursor-agent");
    expect(begun(app)).toEqual([]);
  });

  it("--launch of an assistant that is not installed says how to connect by hand", async () => {
    const app = makeApp();
    app.launch = async () => {
      throw new ForgeError("DEPENDENCY_ERROR", "no", { details: { reason: "ENOENT" } });
    };
    const { code, err } = await run("execute T-001 --launch", { app });
    expect(code).toBe(1);
    expect(err).toContain("claude could not be started: it is not installed, or not on PATH.");
    expect(err).toContain("/mcp__forge__forge_execute T-001");
  });

  it("--launch of an assistant that fails is told and not passed over", async () => {
    const app = makeApp();
    app.launch = async () => ({ code: 3 });
    const { code, err } = await run("execute T-001 --launch", { app });
    expect(code).toBe(1);
    expect(err).toContain("claude ended with exit code 3.");
  });

  it("--launch is refused on a pipe", async () => {
    const app = makeApp({ atKeyboard: false });
    const { code, out } = await run("execute T-001 --launch", { app });
    expect([code, out, app.calls, begun(app)]).toEqual([1, "", [], []]);
  });
});
