import { expect, test } from "vitest";
import { startTicketServer } from "../harness/rooms/tickets/ticket-server.ts";

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
