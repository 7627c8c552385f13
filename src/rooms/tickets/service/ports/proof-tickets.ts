import type { Call } from "../../../../kernel/calls/call.ts";
import type { RecordEntry } from "../../model/records/schema.ts";
import type { Ticket } from "../../model/ticket.ts";
import { workBaseOf } from "../../model/work-base.ts";
import { authorOf, requireAllowed } from "../guard.ts";
import { noteTicketRead } from "../taint.ts";
import type { TicketServices } from "../tickets.ts";
import { nextSteps } from "./next-steps.ts";
import { settleWork } from "./settle-work.ts";

const workedOn = ["CREATED", "DRIFTED", "COMPLETE", "ARCHIVED"] as const;

/** What proof is offered of tickets. */
export function makeProofTickets(services: TicketServices) {
  const { tickets } = services;
  /** The tickets that may be verified by a call. What a verification finds is not known when it is asked for. */
  const allowed = new WeakMap<Call, string>();
  return {
    async get(id: string, reader?: Call) {
      const ticket = await tickets.get(id);
      if (!reader) return toProofTicket(ticket);
      await noteTicketRead(services, reader, ticket);
      return toProofTicket(await settleWork(services, reader, ticket));
    },
    /** What is left to do when it is proven. */
    async nextSteps(id: string, call: Call) {
      return nextSteps(services, await tickets.get(id), call);
    },
    /** Before its checks run on a commit, which is recorded on it. */
    async requireVerify(call: Call, given: string, commit: string) {
      const intentFor = (id: string) => ({ summary: `Verify ${id}`, content: { commit } });
      allowed.set(call, await requireAllowed(services, call, given, intentFor));
    },
    async record(call: Call, given: string, entry: RecordEntry) {
      const isAllowed = entry.kind === "verification" && allowed.get(call) === given;
      const intentFor = (known: string) => ({ summary: `Record a ${entry.kind} on ${known}`, content: entry });
      const id = isAllowed ? given : await requireAllowed(services, call, given, intentFor);
      return toProofTicket(await tickets.record(await authorOf(services, call), id, entry));
    },
    async recent(limit: number) {
      const page = await tickets.list({ status: [...workedOn], limit });
      const found = [];
      for (const { id } of page.tickets)
        found.push({ ticket: toProofTicket(await tickets.get(id)), history: await tickets.history(id) });
      return found;
    },
  };
}

/** A ticket as proof sees it. */
export function toProofTicket(ticket: Ticket) {
  const { id, title, status, description, criteria, fileChanges, revision, stale, records = {} } = ticket;
  const text = { id, title, status, description, criteria, fileChanges };
  return { ...text, base: workBaseOf(ticket).commit, revision, stale, records };
}
