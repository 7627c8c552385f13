import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually, isAlive } from "../harness/cli/processes.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { TicketProject } from "../harness/rooms/tickets/ticket-project.ts";

const criteria = [
  { name: "AC9 forge execute", gate: "execute", open: ["READY", "VALIDATED"], legal: "READY or VALIDATED can be run" },
  {
    name: "AC10 forge review",
    gate: "review",
    open: ["READY", "VALIDATED", "CREATED", "DRIFTED"],
    legal: "READY, VALIDATED, CREATED or DRIFTED can be reviewed",
  },
] as const;

const namesIn = (list: unknown): unknown[] => (Array.isArray(list) ? list.map((item) => item.name) : []);

for (const { name, gate, open, legal } of criteria) {
  test.each(open)(`${name} on a pipe serves the tickets tools for a %s ticket until SIGINT`, async (status) => {
    const project = new TicketProject();
    const id = project.create("Keep people signed in", status);
    const before = project.show(id);
    const program = project.serve(gate, id);
    expect((await program.initialize()).result?.["serverInfo"]).toMatchObject({ name: "forge" });
    const tools = namesIn((await program.request("tools/list")).result?.["tools"]);
    expect(tools).toEqual(expect.arrayContaining(["get_ticket_context", "get_file_changes", "update_ticket_status"]));
    const prompts = namesIn((await program.request("prompts/list")).result?.["prompts"]);
    expect(prompts).toEqual(expect.arrayContaining(["forge_execute", "forge_review"]));
    const answer = await program.call("get_ticket_context", { ticketId: id });
    expect(answer.result).toMatchObject({ structuredContent: { id, title: "Keep people signed in" } });
    expect("claim" in project.show(id)).toBe(gate === "execute");
    const { assignee } = project.show(id);
    expect(assignee).toEqual(gate === "execute" ? userInfo().username : before["assignee"]);
    program.child.kill("SIGINT");
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(project.show(id)).not.toHaveProperty("claim");
  });

  test(`${name} on a pipe ends with its client`, async () => {
    const project = new TicketProject();
    const program = project.serve(gate, project.create("Keep people signed in", "READY"));
    await program.initialize();
    expect(await program.finish()).toEqual({ code: 0, signal: null });
  });

  test(`${name} on a pipe refuses a draft before it says a word of MCP, and names the legal statuses`, async () => {
    const project = new TicketProject();
    const program = project.serve(gate, project.create("Not yet", "DRAFT"));
    program.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "harness", version: "1" },
    });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.bytes).toBe(0);
    expect(program.stderr).toContain(`only a ticket that is ${legal}.`);
  });

  describeWith(["script"], `${name} on a terminal`, () => {
    test("says how to connect, shows what an assistant does, and ends with 0 and a clean terminal on Ctrl+C", async () => {
      const project = new TicketProject();
      const id = project.create("Keep people signed in", "READY");
      project.forge("init", "--client", "claude-code");
      const terminal = project.atTerminal([gate, id]);
      await terminal.until(`Open Claude Code here and run /mcp__forge__forge_${gate} ${id}`);
      await terminal.until("Press Ctrl+C to stop.");
      const assistant = project.serve("mcp");
      await assistant.initialize();
      await assistant.call("get_ticket_context", { ticketId: id });
      await assistant.call("update_ticket_status", { ticketId: id, status: "CREATED" });
      await terminal.until("get_ticket_context");
      await terminal.until("update_ticket_status");
      await terminal.until(`${id} is now CREATED.`);
      terminal.type("\x03");
      expect(await terminal.exitCode).toBe(0);
      expect(terminal.isAsFound).toBe(true);
      expect(terminal.output).not.toContain("forge init");
      expect(terminal.output).toContain(`\n${id} is CREATED; 2 calls by assistants.`);
    });

    test("sends to forge init where no assistant is set up, and ends with its window", async () => {
      const project = new TicketProject();
      const terminal = project.atTerminal([gate, project.create("Keep people signed in", "READY")]);
      await terminal.until("`forge init`");
      await terminal.until("Press Ctrl+C to stop.");
      terminal.hangUp();
      await eventually("its end", () => !isAlive(terminal.pid));
    });

    test("refuses a draft and names the legal statuses", async () => {
      const project = new TicketProject();
      const terminal = project.atTerminal([gate, project.create("Not yet", "DRAFT")]);
      expect(await terminal.exitCode).toBe(1);
      expect(terminal.output).toContain(`only a ticket that is ${legal}.`);
    });

    test("--launch gives the terminal to the assistant", async () => {
      const project = new TicketProject();
      const id = project.create("Keep people signed in", "READY");
      const words = join(project.root, "words");
      project.program("claude", `printf '%s' "$1" > ${words}; pwd; echo ready; read line; echo "typed $line"`);
      const terminal = project.atTerminal([gate, id, "--launch"]);
      await terminal.until("ready");
      expect(terminal.output).toContain(project.cwd);
      expect(readFileSync(words, "utf8")).toContain(`forge_${gate} with ticketId ${id}`);
      terminal.type("hello\n");
      expect(await terminal.exitCode).toBe(0);
      expect(terminal.output).toContain("typed hello");
      expect(terminal.output).toContain(`${id} is READY; 0 calls by assistants.`);
    });
  });
}
