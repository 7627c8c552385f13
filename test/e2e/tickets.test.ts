import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runForgeOnTerminal } from "../harness/cli/terminal.ts";
import { makeSandbox, type Sandbox, writeFiles } from "../harness/git/git.ts";
import { type ClientEra, eras, makeClient } from "../harness/mcp/client.ts";

const forge = join(import.meta.dirname, "..", "..", "bin", "forge.cjs");

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = makeSandbox();
});
afterAll(() => sandbox.dispose());

/** A repository with one ticket that is ready, made by the commands a person would type. */
function startProject(name: string) {
  const cwd = sandbox.repository(name, { "README.md": "# Shop\n", "src/auth.ts": "export {};\n" });
  const env = { ...sandbox.environment, HOME: join(sandbox.root, "home") };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [forge, ...args], { cwd, env, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  const created = run("create", "Add logout", "--criterion", "The cookie is gone", "--file", "create:src/logout.ts");
  expect(created).toMatchObject({ status: 0, stdout: "T-001\n" });
  return { cwd, env, run };
}

/** A client of the SDK that starts the built program itself, as assistants do. */
async function connect(era: ClientEra, args: string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
  const client = makeClient(era);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [forge, ...args],
    cwd,
    env,
    stderr: "pipe",
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

describe.each(eras)("from a ticket to done, over a pipe (%s)", (era) => {
  test("AC1 AC6 AC7 a client executes a ticket and its status moves", async () => {
    const project = startProject(`whole-${era}`);
    expect(project.run("status", "T-001", "ready").status).toBe(0);
    const client = await connect(era, ["execute", "T-001"], project);

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "get_ticket_context",
        "get_file_changes",
        "get_repository_context",
        "update_ticket_status",
      ]),
    );
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["forge_execute", "forge_review"]);

    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "forge_execute" },
      argument: { name: "ticketId", value: "logo" },
    });
    expect(completion.values).toEqual(["T-001 Add logout"]);
    const prompt = await client.getPrompt({
      name: "forge_execute",
      arguments: { ticketId: completion.values[0] ?? "" },
    });
    const [message] = prompt.messages;
    const text = message?.content.type === "text" ? message.content.text : "";
    expect(text).toMatch(/^<agent_guide>\n/);
    expect(text).toContain("<title>Add logout</title>");
    expect(text).toContain("src/auth.ts");

    const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });
    expect((await call("get_repository_context")).structuredContent).toMatchObject({ workingDirectory: project.cwd });
    const moved = await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
    expect(moved.structuredContent).toMatchObject({ success: true, newStatus: "CREATED" });
    await client.close();

    writeFiles(project.cwd, {
      "src/logout.ts": "export function logout() {}\n",
      "src/auth.ts": "export { logout };\n",
    });
    sandbox.git(project.cwd, "add", "--all");
    // A person does it: in a script, it would need approval after the assistant has read text by others.
    const completed = await runForgeOnTerminal(
      ["complete", "T-001", "--summary", "Route and button", "--json"],
      "",
      project,
    );
    expect(JSON.parse(completed.output)).toMatchObject({
      status: "COMPLETE",
      changeRecord: {
        executionSummary: "Route and button",
        branch: "task-T-001-add-logout",
        filesChanged: [
          { path: "src/auth.ts", additions: 1, deletions: 1 },
          { path: "src/logout.ts", additions: 1, deletions: 0 },
        ],
      },
    });
    const { stdout } = project.run("log", "--about", "ticket:T-001", "--json");
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "forge create",
        "forge execute",
        "forge_execute",
        "update_ticket_status",
        "forge complete",
      ]),
    );
  });

  test("completion offers what is mine to resume, and is not in the ledger", async () => {
    const project = startProject(`resume-${era}`);
    project.run("status", "T-001", "ready");
    project.run("assign", "T-001", "me");
    project.run("status", "T-001", "created");
    const client = await connect(era, ["mcp"], project);
    const ref = { type: "ref/prompt", name: "forge_execute" } as const;
    const complete = async () =>
      (await client.complete({ ref, argument: { name: "ticketId", value: "" } })).completion.values;
    expect(await complete()).toEqual(["T-001 Add logout"]);
    const before = project.run("log", "--json").stdout;
    await complete();
    await client.close();
    expect(project.run("log", "--json").stdout).toBe(before);
    expect(before).not.toContain("completion");
  });

  test("a subscriber hears of another process's change", async () => {
    const project = startProject(`watch-${era}`);
    const client = await connect(era, ["mcp"], project);
    const heard: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
    await subscribe(client, era, ["forge://tickets/T-001", "forge://tickets"]);
    expect(project.run("status", "T-001", "ready").status).toBe(0);
    await expect
      .poll(() => [...new Set(heard)].sort(), { timeout: 15_000 })
      .toEqual(["forge://tickets", "forge://tickets/T-001"]);
    const { contents } = await client.readResource({ uri: "forge://tickets/T-001" });
    const [content] = contents;
    expect(JSON.parse(content && "text" in content ? content.text : "{}")).toMatchObject({
      id: "T-001",
      status: "READY",
    });
  });
});

async function subscribe(client: Awaited<ReturnType<typeof connect>>, era: ClientEra, uris: string[]): Promise<void> {
  if (era === "modern") {
    const stop = await client.listen({ resourceSubscriptions: uris });
    // Before the client is: what is registered later ends first.
    onTestFinished(() => stop.close());
    return;
  }
  for (const uri of uris) await client.subscribeResource({ uri });
}

test("AC9 a second assistant on the same ticket is told who has it", async () => {
  const project = startProject("twice");
  project.run("status", "T-001", "ready");
  const client = await connect("modern", ["execute", "T-001"], project);
  // A call, for a list may come from the client's own cache while the server has yet to start.
  await client.callTool({ name: "get_ticket_context", arguments: { ticketId: "T-001" } });
  const second = spawnSync(process.execPath, [forge, "execute", "T-001"], { ...project, encoding: "utf8", input: "" });
  expect(second.status).toBe(1);
  expect(second.stdout).toBe("");
  expect(second.stderr).toContain("T-001 is claimed by");
});
