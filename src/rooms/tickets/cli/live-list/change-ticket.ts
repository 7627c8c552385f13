import { requireTypedStatus } from "../../model/status.ts";
import type { LiveTickets } from "./open-live-list.ts";
import type { Prompt } from "./state.ts";

/** Does what was typed; returns a line that says what was done. */
export async function changeTicket(tickets: LiveTickets, prompt: Prompt): Promise<string> {
  const typed = prompt.text.trim();
  if (prompt.kind === "create") return `Created ${await tickets.create(typed)}.`;
  if (prompt.kind === "move") {
    const status = requireTypedStatus(typed);
    await tickets.move(prompt.id, status);
    return `Moved ${prompt.id} to ${status}.`;
  }
  await tickets.assign(prompt.id, typed === "" ? null : typed);
  return typed === "" ? `${prompt.id} is now unassigned.` : `Assigned ${prompt.id} to ${typed}.`;
}
