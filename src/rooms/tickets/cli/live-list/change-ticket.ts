import type { StatusWords } from "../status-words.ts";
import type { LiveTickets } from "./open-live-list.ts";
import type { Prompt } from "./state.ts";

/** Does what was typed; returns a line that says what was done, and the ticket to select. */
export async function changeTicket(
  tickets: LiveTickets,
  prompt: Prompt,
  words: StatusWords,
): Promise<{ id: string; notice: string }> {
  const typed = prompt.text.trim();
  if (prompt.kind === "create") {
    const id = await tickets.create(typed);
    return { id, notice: `Created ${id}.` };
  }
  const { id } = prompt;
  if (prompt.kind === "move") {
    const status = words.parse(typed);
    await tickets.move(id, status);
    return { id, notice: `Moved ${id} to ${words.show(status)}.` };
  }
  const assignee = await tickets.assign(id, typed === "" ? null : typed);
  return { id, notice: assignee === undefined ? `${id} is now unassigned.` : `Assigned ${id} to ${assignee}.` };
}
