import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { isOn } from "../../../kernel/definitions/tool.ts";
import { tools } from "./index.ts";

const ofPeople = [
  "complete_ticket",
  "export_ticket",
  "get_ticket",
  "get_ticket_text",
  "import_tickets",
  "push_local_tickets",
  "save_ticket_text",
  "start_ticket",
  "update_questions",
];

it("assistants know the core loop and nothing of what only people's commands call", async () => {
  const loaded = await Promise.all(Object.values(tools).map((load) => load()));
  expect(loaded.filter((tool) => !isOn("mcp", tool)).map(({ name }) => name)).toEqual(ofPeople);
  const offered = loaded.filter((tool) => isOn("mcp", tool) && !tool.core).map(({ name }) => name);
  expect(offered).toEqual(["comment_ticket", "get_file_changes", "next_ticket"]);
  const { connect } = await startTicketServer();
  const { client, call } = await connect();
  const { tools: listed } = await client.listTools();
  const names = listed.map(({ name }) => name);
  for (const name of ofPeople) {
    expect(names).not.toContain(name);
    await expect(call(name, { ticketId: "T-001" })).rejects.toThrow(/not found|unknown/i);
  }
});
