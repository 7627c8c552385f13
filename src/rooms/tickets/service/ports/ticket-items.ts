import type { Action } from "../../../../kernel/action.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { requireNoBlockers } from "../../model/questions.ts";
import type { Work } from "../../model/records/schema.ts";
import { canResume, requireGate } from "../../model/status.ts";
import type { Ticket } from "../../model/ticket.ts";
import { adoptTicket, isAdopted, requireAllowed, startIntent } from "../guard.ts";
import { requireUnblocked } from "../ticket-queries.ts";
import type { TicketServices } from "../tickets.ts";
import { readWorkBase } from "../work-base.ts";
import { nextSteps } from "./next-steps.ts";

/** What the workbench is offered of tickets: to execute them, and to tell them what became of it. */
export function makeTicketItems(services: TicketServices) {
  const { tickets, active } = services;
  return {
    isActive: (principal: Principal, id: string) => active.scopeOf(principal).touches.includes(`ticket:${id}`),
    isAdopted: (id: string) => isAdopted(services, id),
    async prepare(call: Call, given: string) {
      const ticket = await tickets.get(given);
      requireGate("execute", ticket, canResume(ticket, call.principal.name));
      requireNoBlockers(ticket, "work starts");
      requireUnblocked(ticket);
      // A prompt was chosen by the user, who named the ticket.
      const text = readTaskText(ticket);
      if (call.record.kind !== "prompt")
        await requireAllowed(services, call, ticket.id, (id) => startIntent(services, `Execute ${id}`, ticket, text));
      if (ticket.foreign) await call.noteUntrusted();
      // Refused if someone else has claimed it, before anything is begun.
      await tickets.start(call, ticket.id, await readWorkBase(services, call.signal));
      active.add(call.principal, ticket.id);
      await adoptTicket(services, call, ticket);
      return { id: ticket.id, ...text, foreign: ticket.foreign };
    },
    async record(call: Call, id: string, { baseBranch, ...work }: Work & { baseBranch?: string }): Promise<Action[]> {
      const { status, ...before } = await tickets.get(id);
      if (work.status === "started" && (status === "READY" || status === "VALIDATED")) {
        // A person who starts a task of it has decided to start without the answers.
        if (!call.principal.atKeyboard) requireNoBlockers(before, "work starts");
        const base = {
          ...(baseBranch !== undefined && { branch: baseBranch }),
          ...(work.base && { commit: work.base }),
        };
        await tickets.move(call, id, "CREATED", base);
      }
      const ticket = await tickets.record(call, id, { kind: "work", work });
      return work.status === "merged" || work.status === "committed" ? nextSteps(services, ticket, call) : [];
    },
  };
}

/** What a task is made of: what is wanted, and which files may change for it. */
export function readTaskText(ticket: Ticket) {
  return {
    title: ticket.title,
    description: describe(ticket),
    criteria: ticket.criteria.map(({ id, text }) => `${id}: ${text}`),
    files: ticket.fileChanges.map(({ path }) => path),
  };
}

/** The ticket's own text, in the order it is read. */
function describe({ description, problemStatement, solution, apiChanges, testPlan }: Ticket): string {
  return [description, problemStatement, solution, apiChanges, testPlan]
    .filter((text) => text !== undefined)
    .join("\n\n");
}
