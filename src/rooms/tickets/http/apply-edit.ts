import type { Principal } from "../../../kernel/principal.ts";
import { requireMove, type Status } from "../model/status.ts";
import type { Ticket, TicketChanges, TicketDocument } from "../model/ticket.ts";
import { applyMove, applyUpdate } from "../model/transitions.ts";
import { readContent } from "../reading/read-content.ts";
import type { HistoryEvent, Transition } from "../service/ticket-writer.ts";

/** What one request may change of a ticket at once. */
export type TicketEdit = {
  changes: TicketChanges;
  status: Status | undefined;
  /** Null takes the specification away. */
  techSpec: TicketDocument | null | undefined;
};

export function applyEdit(
  ticket: Ticket,
  { changes, status, techSpec }: TicketEdit,
  editor: Principal,
): Transition | undefined {
  if (status !== undefined) requireMove(ticket.id, ticket.status, status, ticket.previousStatus);
  const { techSpec: formerSpec = null } = ticket.document;
  const isRespecified = techSpec !== undefined && JSON.stringify(techSpec) !== JSON.stringify(formerSpec);
  const base = isRespecified ? replaceSpec(ticket, techSpec) : ticket;
  const update = applyUpdate(base, changes);
  const move = status === undefined || status === ticket.status ? undefined : applyMove(ticket, status, editor);
  const happenings: HistoryEvent[] = [
    ...(isRespecified ? [{ kind: "updated" as const, details: { former: { techSpec: formerSpec } } }] : []),
    ...(update?.events ?? []),
    ...(move?.events ?? []),
  ];
  if (happenings.length === 0) return undefined;
  const columns = { ...move?.columns, ...update?.columns };
  return { columns, document: update?.document ?? base.document, events: happenings };
}

/** Read before the same fields of `techSpec`, so that what the new one says would not be seen beside them. */
const readFirst = [
  "problemStatement",
  "solution",
  "apiChanges",
  "testPlan",
  "inScope",
  "outOfScope",
  "acceptanceCriteria",
  "fileChanges",
];

function replaceSpec(ticket: Ticket, techSpec: TicketDocument | null): Ticket {
  const said = readFirst.filter((field) => techSpec !== null && Object.hasOwn(techSpec, field));
  const gone = new Set([
    ...said,
    ...(said.includes("acceptanceCriteria") ? ["acceptanceCriteriaIds"] : []),
    "techSpec",
  ]);
  const kept = Object.entries(ticket.document).filter(([field]) => !gone.has(field));
  const document = { ...Object.fromEntries(kept), ...(techSpec && { techSpec }) };
  const { description: _, problemStatement: __, solution: ___, apiChanges: ____, testPlan: _____, ...facts } = ticket;
  return { ...facts, ...readContent(document), document };
}
