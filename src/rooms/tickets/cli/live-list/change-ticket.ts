import type { StatusWords } from "../status-words.ts";
import type { LiveTickets } from "./open-live-list.ts";
import type { Prompt } from "./state.ts";

/** Does what was typed; returns a line that says what was done. */
export async function changeTicket(tickets: LiveTickets, prompt: Prompt, words: StatusWords): Promise<string> {
  const typed = prompt.text.trim();
  if (prompt.kind === "create") return `Created ${await tickets.create(typed)}.`;
  if (prompt.kind === "move") {
    const status = words.parse(typed);
    await tickets.move(prompt.id, status);
    return `Moved ${prompt.id} to ${words.show(status)}.`;
  }
  await tickets.assign(prompt.id, typed === "" ? null : typed);
  return typed === "" ? `${prompt.id} is now unassigned.` : `Assigned ${prompt.id} to ${typed}.`;
}
