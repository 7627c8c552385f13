import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../../../../test/harness/cli/cli.ts";
import { atTerminal, TicketCli, WatchedStream } from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";
import type { App } from "../../../../commons/cli/app.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { userName } from "../../../../platform/host/user-name.ts";

const me = userName();

async function withTicket(document: Record<string, unknown> = {}): Promise<TicketCli> {
  const cli = new TicketCli();
  await cli.add(document);
  return cli;
}

/** The program on a pipe; remembers what it was to serve. */
function onPipe(served: unknown[]): RunOptions {
  const stdio = async (selection: unknown) => {
    served.push(selection);
    return 0;
  };
  return { with: (app: App) => ({ serve: { ...app.serve, stdio } }) };
}

type Launched = { program: string; args: string[] };

/** A person at a terminal whose assistants do this when they are started. */
function launching(
  launched: Launched[],
  does: () => Promise<{ code: number }> = async () => ({ code: 0 }),
): RunOptions {
  return {
    with: atTerminal({
      launch: async (program, args) => {
        launched.push({ program, args });
        return does();
      },
    }),
  };
}

type Step = [text: string, then: () => void];

/** Runs a command on a terminal. When the output contains a text, its step is done; after the last comes Ctrl+C. */
async function watch(cli: TicketCli, line: string, steps: Step | Step[], more: RunOptions["with"] = () => ({})) {
  const stop = new AbortController();
  const all = Array.isArray(steps[0]) ? (steps as Step[]) : [steps as Step];
  const reactions = all.map(([text, then], index): Step => {
    const isLast = index === all.length - 1;
    return [text, () => (isLast ? stop.abort() : then())];
  });
  const stdout = new WatchedStream(reactions);
  const person = atTerminal();
  const options = { with: (app: App) => ({ ...person(app), ...more(app) }), stdout, signal: stop.signal };
  return { ...(await cli.run(line, options)), out: stdout.text };
}

const ready = (gate: string) => `forge_${gate} of the server forge`;

describe.each(["execute", "review"] as const)("forge %s", (gate) => {
  it("on a pipe starts the ticket, then serves the tickets tools, and prints nothing itself", async () => {
    const served: unknown[] = [];
    const cli = await withTicket();
    expect(await cli.run(`${gate} T-001`, onPipe(served))).toMatchObject({ code: 0, out: "", err: "" });
    expect(served).toEqual([{ toolsets: "tickets", profile: undefined, readOnly: false }]);
    expect((await cli.json("show T-001"))["assignee"]).toBe(gate === "execute" ? me : undefined);
  });

  it("on a pipe serves nothing where the status does not allow it, and says on stderr what would", async () => {
    const served: unknown[] = [];
    const cli = await withTicket({ status: "DRAFT" });
    const { code, out, err } = await cli.run(`${gate} T-001`, onPipe(served));
    expect([code, out, served]).toEqual([1, "", []]);
    expect(err).toMatch(/T-001 is DRAFT; only a ticket that is READY.* VALIDATED/);
    expect(err).toContain("Run `forge status T-001 READY` first, if it is ready for that.");
  });

  it("on a terminal says how to connect, and shows what assistants do until Ctrl+C", async () => {
    const cli = await withTicket();
    const calls: Promise<unknown>[] = [];
    const { code, out, err } = await watch(cli, `${gate} t-1`, [
      [ready(gate), () => calls.push(cli.do("show T-001"), cli.do("call get_ticket_context ticketId=T-001"))],
      ["get_ticket_context", () => undefined],
    ]);
    await Promise.all(calls);
    expect(code).toBe(0);
    expect(out).toContain("T-001 is READY");
    expect(out).toContain(`Open Claude Code here and run /mcp__forge__forge_${gate} T-001\n`);
    expect(out).toContain(`use the prompt forge_${gate} of the server forge with ticketId T-001`);
    expect(out).toContain("run `forge init`");
    expect(out.split("\n").filter((line) => line.includes("get_ticket_context"))).toHaveLength(1);
    expect(out).toContain("T-001 is READY; 1 call by assistants.");
    expect(err).toContain("Watching T-001. Press Ctrl+C to stop.");
  });

  it("--launch starts Claude Code with its task, and says what came of it", async () => {
    const cli = await withTicket();
    const launched: Launched[] = [];
    const options = launching(launched, async () => {
      await cli.do("status T-001 created");
      return { code: 0 };
    });
    const { code, out } = await cli.run(`${gate} T-001 --launch`, options);
    expect(code).toBe(0);
    const message = expect.stringContaining(`forge_${gate} with ticketId T-001`);
    expect(launched).toEqual([{ program: "claude", args: [message] }]);
    expect(out).toContain("T-001 is CREATED; 0 calls by assistants.");
  });

  it("is also forge ticket VERB", async () => {
    const served: unknown[] = [];
    const cli = await withTicket();
    await cli.do(`ticket ${gate} T-001`, onPipe(served));
    expect(served).toHaveLength(1);
  });
});

describe("forge execute", () => {
  it("says to whom the ticket is assigned", async () => {
    const stop: [string, () => void] = [ready("execute"), () => undefined];
    const mine = await watch(await withTicket(), "execute T-001", stop);
    expect(mine.out).toContain(`T-001 is READY and now assigned to you (${me}).`);
    const other = await watch(await withTicket({ assignedTo: "grace" }), "execute T-001", stop);
    expect(other.out).toContain("T-001 is READY and assigned to grace.");
  });

  it("does not name forge init where it was run", async () => {
    const setup = { planRemoval: () => ({ changes: [".mcp.json"] }) };
    const room = (app: App) => async (name: string) => (name === "setup" ? { setup } : app.room(name));
    const configured = (app: App) => ({ room: room(app) as App["room"] });
    const stop: [string, () => void] = [ready("execute"), () => undefined];
    expect((await watch(await withTicket(), "execute T-001", stop)).out).toContain("forge init");
    const { out } = await watch(await withTicket(), "execute T-001", stop, configured);
    expect(out).not.toContain("forge init");
  });

  it("shows where the ticket moves, and at the end its status, at once", async () => {
    const cli = await withTicket();
    const moves: Promise<unknown>[] = [];
    const { code, out } = await watch(cli, "execute T-001", [
      [ready("execute"), () => moves.push(cli.do("status T-001 created"))],
      ["T-001 is now CREATED.", () => undefined],
    ]);
    await Promise.all(moves);
    expect(code).toBe(0);
    expect(out).toMatch(/\nT-001 is CREATED; 0 calls by assistants\.\n$/);
    expect(out.match(/by assistants/g)).toHaveLength(1);
  });

  it("--json is one line of JSON for each thing", async () => {
    const cli = await withTicket();
    const calls: Promise<unknown>[] = [];
    const { out } = await watch(cli, "execute T-001 --json", [
      ['"assigned":true', () => calls.push(cli.do("call get_file_changes ticketId=T-001"))],
      ["get_file_changes", () => undefined],
    ]);
    await Promise.all(calls);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { ticketId: "T-001", status: "READY", assigned: true, assignee: me },
      { name: "get_file_changes", kind: "tool" },
      { ticketId: "T-001", status: "READY", calls: 1 },
    ]);
  });

  it.each([
    ["codex", (message: unknown) => [message]],
    ["gemini", (message: unknown) => ["--prompt-interactive", message]],
    ["cursor-agent", (message: unknown) => [message]],
  ])("--launch %s gives it its first message", async (name, args) => {
    const launched: Launched[] = [];
    await (await withTicket()).run(`execute T-001 --launch ${name}`, launching(launched));
    expect(launched).toEqual([{ program: name, args: args(expect.stringContaining("T-001")) }]);
  });

  it("--launch of an unknown assistant leaves the ticket alone", async () => {
    const cli = await withTicket();
    const launched: Launched[] = [];
    const { code, err } = await cli.run("execute T-001 --launch emacs", launching(launched));
    expect(code).toBe(1);
    expect(err).toContain("Use claude, codex, gemini or cursor-agent.");
    expect(launched).toEqual([]);
    expect(await cli.json("show T-001")).toMatchObject({ revision: 1 });
  });

  it("--launch of an assistant that is not installed says how to connect", async () => {
    const missing = launching([], async () => {
      throw new ForgeError("DEPENDENCY_ERROR", "no", { details: { reason: "ENOENT" } });
    });
    const { code, err } = await (await withTicket()).run("execute T-001 --launch", missing);
    expect(code).toBe(1);
    expect(err).toContain("claude could not be started: it is not installed, or not on PATH.");
    expect(err).toContain("/mcp__forge__forge_execute T-001");
  });

  it("--launch of an assistant that fails is a failure", async () => {
    const failing = launching([], async () => ({ code: 3 }));
    const { code, err } = await (await withTicket()).run("execute T-001 --launch", failing);
    expect(code).toBe(1);
    expect(err).toContain("claude ended with exit code 3.");
  });

  it("--launch is an error on a pipe", async () => {
    const served: unknown[] = [];
    const cli = await withTicket();
    const { code, out } = await cli.run("execute T-001 --launch", onPipe(served));
    expect([code, out, served]).toEqual([1, "", []]);
    expect(await cli.json("show T-001")).toMatchObject({ revision: 1 });
  });
});
