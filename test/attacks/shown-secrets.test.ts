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
