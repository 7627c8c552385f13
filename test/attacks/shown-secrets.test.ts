import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forgeCommitChanges } from "../../src/rooms/workbench/tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../src/rooms/workbench/tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../src/rooms/workbench/tools/executions/forge-get-execution.ts";
import { startTicketServer } from "../harness/rooms/tickets/ticket-server.ts";
import { openRoom } from "../harness/rooms/workbench/workbench-executions.ts";

/** Made up here, so that no file of ours looks like it holds one. */
const token = `ghp_${"9fK2mQ7xR4tLc8Vb3Nw6Zd1Jh5Pg0SaYuEiT"}`;

test("G a token after a line break, a tab or an escape is shown by no tool, prompt or resource", async () => {
  const { command, connect } = await startTicketServer({ git: true });
  const description = `Use:\n${token}\n\t${token}\n"\\n${token}"\n\u0007${token}`;
  await command("create_ticket", { title: "Deploy", description, status: "READY" });
  const block = { block_id: "ours", name: "Ours", description };
  await command("forge_create_block", block);
  const named = { block_id: "ours", task_name: "Ours", description };
  const { task } = (await command("forge_create_task", named)) as { task: { id: string } };
  const { client, call } = await connect();
  const shown = [
    await call("get_ticket_context", { ticketId: "T-001" }),
    await call("forge_get_task_details", { block_id: "ours", task_id: task.id }),
    await call("forge_get_blocks", {}),
    await client.readResource({ uri: "forge://tickets/T-001" }),
    await client.getPrompt({ name: "forge_review", arguments: { ticketId: "T-001" } }),
  ];
  for (const answer of shown) {
    expect(JSON.stringify(answer)).toContain("[redacted github-token]");
    expect(JSON.stringify(answer)).not.toContain(token);
  }
});

test("G the beginning of a token finds nothing, so that nobody can guess it bit by bit", async () => {
  const { command, connect } = await startTicketServer({ git: true });
  const description = `Use ${token} now.`;
  await command("create_ticket", { title: "Deploy", description, status: "READY" });
  await command("forge_create_block", { block_id: "ours", name: "Ours", description });
  await command("forge_create_task", { block_id: "ours", task_name: "Deploy", description });
  const { call } = await connect();
  const find = async (text: string) => {
    const { tickets } = (await call("list_tickets", { text })).structured as { tickets: unknown[] };
    const found = (await call("forge_get_tasks", { text })).structured as { total: number };
    const pending = (await call("forge_get_tasks", { text, status: ["pending"] })).structured as { total: number };
    const blocks = (await call("forge_get_blocks", { filter: { search_term: text } })).structured as { total: number };
    return [tickets.length, found.total, pending.total, blocks.total];
  };
  expect(await find("now")).toEqual([1, 1, 1, 1]);
  for (const part of [token.slice(0, 6), token.slice(4, 10), token.slice(0, 20)])
    expect(await find(part)).toEqual([0, 0, 0, 0]);
});

test("G a line about a file shows no part of a password that it cuts off", async () => {
  const { command, connect, cwd, git } = await startTicketServer({ git: true });
  const password = "Tr0ub4dor-and-a-staple";
  const begin = "// Connects to the database of the shop, which is kept apart from that of the office, so that ";
  for (const [name, more] of [
    ["near", ""],
    ["far", "nobody "],
  ] as const)
    writeFileSync(
      join(cwd, `${name}.ts`),
      `${begin}${more}both last: postgres://shopkeeper:${password}${"x".repeat(40)}@db.shop.com/shop\nexport function ${name}() {}\n`,
    );
  git("add", "-A");
  git("commit", "--quiet", "-m", "First");
  await command("forge_create_block", { block_id: "ours", name: "Ours" });
  const named = { block_id: "ours", task_name: "Ours", files_affected: ["near.ts", "far.ts"] };
  const { task } = (await command("forge_create_task", named)) as { task: { id: string } };
  const { call } = await connect();
  const { text } = await call("forge_get_task_details", { block_id: "ours", task_id: task.id, include_context: true });
  expect(text).toContain("Connects to the database");
  expect(text).not.toContain(password.slice(0, 3));
});

test("G nor does a title that is offered for completion", async () => {
  const { command, connect } = await startTicketServer();
  await command("create_ticket", { title: `${"Rotate keys ".repeat(8)}${token}`, status: "READY" });
  const { client } = await connect();
  const ref = { type: "ref/prompt", name: "forge_execute" } as const;
  const { completion } = await client.complete({ ref, argument: { name: "ticketId", value: "" } });
  expect(completion.values).toEqual([expect.stringContaining("Rotate keys")]);
  expect(completion.values.join()).not.toContain(token.slice(0, 6));
});

test("G nor does what is wrong with a file tell what is in it", async () => {
  const { connect, cwd } = await startTicketServer();
  writeFileSync(join(cwd, "package.json"), `{"name": ${token}}`);
  const { call } = await connect();
  const { text, structured } = await call("forge_check_governance", {});
  expect(structured).toMatchObject({ syntax_errors: [{ file: "package.json", line: 1 }] });
  expect(text).not.toContain(token.slice(0, 8));
});

test("G nor does what a hook or a set-up command says, of which only the end is kept", async () => {
  const say = (kept: number) => `cat .git/token; printf '%${kept - 30}s\\n' x`;
  const room = openRoom({ files: { "a.txt": "one\n" } });
  room.put({ ".git/token": `${token}\n` });
  room.hook("pre-commit", say(4_000));
  await room.trustAll();
  const task = await room.task();
  const { execution_id } = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  room.put({ "a.txt": "two\n" });
  const committed = await room.ok(forgeCommitChanges, { message: "x", complete: false });
  const record = await room.ok(forgeGetExecution, { execution_id, full: true });
  for (const shown of [committed, record]) {
    expect(JSON.stringify(shown)).toContain("redacted");
    expect(JSON.stringify(shown)).not.toContain(token.slice(-8));
  }
});
