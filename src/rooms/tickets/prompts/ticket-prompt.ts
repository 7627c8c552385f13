import type { Call } from "../../../kernel/call.ts";
import type { PromptMessage } from "../../../kernel/prompt.ts";
import { canResume, type Gate, requireGate } from "../model/status.ts";
import { markTainted } from "../service/taint.ts";
import type { Guides, TicketServices } from "../service/tickets.ts";
import { makePromptText } from "./prompt-text.ts";
import { writeRepositoryXml } from "./repository-xml.ts";
import { writeTicketXml } from "./ticket-xml.ts";

export type PromptServices = Pick<TicketServices, "tickets" | "work" | "guides" | "git" | "cwd">;

export type TicketTask = {
  gate: Gate;
  guide: Parameters<Guides["read"]>[0];
  reminder(id: string): string;
};

/** One message with all that the task needs. The ticket is then the caller's work at hand: the person named it. */
export async function makeTicketPrompt(
  services: PromptServices,
  call: Call,
  task: TicketTask,
  id: string,
): Promise<PromptMessage[]> {
  const { tickets, work, guides } = services;
  const found = await tickets.get(id);
  requireGate(task.gate, found.id, found.status, canResume(found, call.principal.name));
  const [guide, repository] = await Promise.all([guides.read(task.guide), writeRepositoryXml(services, call.signal)]);
  // A guide in the project's folder may have come with the repository.
  if (found.foreign || guide.source !== undefined) await markTainted({ work }, call);
  work.add(call.principal, found.id);
  const ticket = writeTicketXml(found, task.gate);
  const text = makePromptText({ guide, ticket, repository, reminder: task.reminder(found.id) });
  return [{ role: "user", content: { type: "text", text } }];
}
