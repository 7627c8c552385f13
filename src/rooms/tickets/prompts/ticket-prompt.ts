import type { Call } from "../../../kernel/calls/call.ts";
import type { PromptMessage } from "../../../kernel/definitions/prompt.ts";
import { requireNoBlockers } from "../model/questions.ts";
import { canResume, type Gate, requireGate } from "../model/status.ts";
import { adoptTicket } from "../service/guard.ts";
import type { GuideName } from "../service/guides.ts";
import { markTainted } from "../service/taint.ts";
import type { TicketServices } from "../service/tickets.ts";
import { recordStart } from "../service/work-base.ts";
import { makePromptText } from "./prompt-text.ts";
import { writeRepositoryXml } from "./repository-xml.ts";
import { writeTicketXml } from "./ticket-xml.ts";

export type PromptServices = Pick<TicketServices, "tickets" | "active" | "guard" | "guides" | "git" | "cwd">;

export type TicketTask = {
  gate: Gate;
  guide: GuideName;
  reminder(id: string): string;
};

/** One message with everything the task needs. The user named the ticket, so from then on the caller works on it. */
export async function makeTicketPrompt(
  services: PromptServices,
  call: Call,
  task: TicketTask,
  id: string,
): Promise<PromptMessage[]> {
  const { tickets, active, guides } = services;
  const asked = await tickets.get(id);
  requireGate(task.gate, asked, canResume(asked, call.principal.name));
  if (task.gate === "execute") requireNoBlockers(asked, "work starts");
  const found = task.gate === "execute" ? await recordStart(services, call, asked) : asked;
  const [guide, repository] = await Promise.all([guides.read(task.guide), writeRepositoryXml(services, call.signal)]);
  if (found.foreign) await markTainted({ active }, call);
  await call.noteUntrusted("repository");
  active.add(call.principal, found.id);
  await adoptTicket(services, call, found);
  const ticket = writeTicketXml(found);
  const text = makePromptText({ guide, ticket, repository, reminder: task.reminder(found.id) });
  return [{ role: "user", content: { type: "text", text } }];
}
