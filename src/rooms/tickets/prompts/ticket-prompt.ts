import type { Call } from "../../../kernel/calls/call.ts";
import type { PromptMessage } from "../../../kernel/definitions/prompt.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { allows } from "../../../kernel/principal.ts";
import { requireNoBlockers } from "../model/questions.ts";
import { describeProof } from "../model/records/read-work.ts";
import { canResume, type Gate, requireGate } from "../model/status.ts";
import type { Ticket } from "../model/ticket.ts";
import { adoptTicket } from "../service/guard.ts";
import type { GuideName } from "../service/guides.ts";
import { readProof } from "../service/ports/require-proof.ts";
import { settleWork } from "../service/ports/settle-work.ts";
import { requireUnblocked } from "../service/ticket-queries.ts";
import type { TicketServices } from "../service/tickets.ts";
import { recordStart } from "../service/work-base.ts";
import { makePromptText } from "./prompt-text.ts";
import { writeRepositoryXml } from "./repository-xml.ts";
import { writeTicketXml } from "./ticket-xml.ts";

export type PromptServices = Pick<
  TicketServices,
  "tickets" | "active" | "guard" | "guides" | "git" | "cwd" | "workbench" | "proof"
>;

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
  if (task.gate === "execute") {
    requireNoBlockers(asked, "work starts");
    requireUnblocked(asked);
  }
  const begun = task.gate === "execute" ? await beginExecution(services, call, asked) : undefined;
  // The start of an execution changes the ticket.
  const current = begun?.isStarted ? await tickets.get(asked.id) : asked;
  const found = task.gate === "execute" ? await recordStart(services, call, current) : asked;
  const [guide, repository] = await Promise.all([guides.read(task.guide), writeRepositoryXml(services, call)]);
  if (found.foreign) await call.noteUntrusted();
  await call.noteUntrusted("repository");
  active.add(call.principal, found.id);
  // Who has it reviewed wants to know whether it should be done.
  if (task.gate === "execute") await adoptTicket(services, call, found);
  const tasks = (await (await services.workbench())?.tasksOf(call, found.id)) ?? [];
  const shown = await settleWork(services, call, found);
  const proof = await readProof(services, shown, call);
  const ticket = writeTicketXml(shown, tasks, proof && describeProof(proof));
  const text = makePromptText({
    guide,
    ticket,
    repository,
    reminder: [task.reminder(found.id), ...(begun ? [begun.note] : [])].join(" "),
  });
  return [{ role: "user", content: { type: "text", text } }];
}

/** Begins the ticket's execution where that is possible; where it is not, the assistant is told why. */
async function beginExecution(
  { workbench }: PromptServices,
  call: Call,
  { id }: Ticket,
): Promise<{ isStarted: boolean; note: string } | undefined> {
  if (!allows(call.principal, "workbench:write")) return undefined;
  const port = await workbench();
  if (!port) return undefined;
  try {
    const { execution_id, root, branch_created: branch } = await port.execute(call, id);
    const where = branch === undefined ? root : `${root} on branch ${branch}`;
    const note = `Its execution is ${execution_id}: work in ${where}, check with forge_run_tests, and finish with forge_commit_changes.`;
    return { isStarted: true, note };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    return { isStarted: false, note: `No execution was started: ${error.message}` };
  }
}
