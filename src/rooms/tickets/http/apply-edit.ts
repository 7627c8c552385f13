import type { Principal } from "../../../kernel/principal.ts";
import { requireMove, type Status } from "../model/status.ts";
import type { ChangeRecord, Ticket, TicketChanges, TicketDocument, WorkBase } from "../model/ticket.ts";
import { applyMove, applyUpdate, type HistoryEvent, type Transition, withCriterionIds } from "../model/transitions.ts";
import { keepWorkBase } from "../model/work-base.ts";
import { readContent } from "../reading/read-content.ts";

/** What one request can change. */
export type TicketEdit = {
  changes: TicketChanges;
  status: Status | undefined;
  /** Null removes the specification. */
  techSpec: TicketDocument | null | undefined;
  /** Where in the repository work starts. */
  base?: WorkBase | undefined;
  /** Whether the criteria of a ticket that is completed are proven. */
  proof?: ChangeRecord["proof"];
};

export function applyEdit(
  ticket: Ticket,
  { changes, status, techSpec, base: workBase, proof }: TicketEdit,
  editor: Principal,
): Transition | undefined {
  if (status !== undefined) requireMove(ticket.id, ticket.status, status, ticket.previousStatus);
  const { techSpec: specBefore = null } = ticket.document;
  const hasNewSpec = techSpec !== undefined && JSON.stringify(techSpec) !== JSON.stringify(specBefore);
  const base = hasNewSpec ? replaceSpec(ticket, techSpec) : ticket;
  const update = applyUpdate(base, changes);
  const move =
    status === undefined || status === ticket.status ? undefined : applyMove(base, status, editor, workBase, proof);
  const events: HistoryEvent[] = [
    ...(hasNewSpec ? [{ kind: "updated" as const, details: { former: { techSpec: specBefore } } }] : []),
    ...(update?.events ?? []),
    ...(move?.events ?? []),
  ];
  if (events.length === 0) return undefined;
  const columns = { ...move?.columns, ...update?.columns };
  const document = movedDocument(update?.document ?? base.document, move);
  return { columns, document, ...(move?.records && { records: move.records }), events };
}

/** A move sets or removes where work started, and nothing else of the document. */
function movedDocument(document: TicketDocument, move: Transition | undefined): TicketDocument {
  return move?.document ? keepWorkBase(document, move.document) : document;
}

/** Fields that win over those in `techSpec`: they would hide what a new `techSpec` says. */
const winningFields = [
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
  const replaced = winningFields.filter((field) => techSpec !== null && Object.hasOwn(techSpec, field));
  const removed = new Set([
    ...replaced,
    ...(replaced.includes("acceptanceCriteria") ? ["acceptanceCriteriaIds"] : []),
    "techSpec",
  ]);
  const kept = Object.entries(ticket.document).filter(([field]) => !removed.has(field));
  const document = withCriterionIds(ticket, { ...Object.fromEntries(kept), ...(techSpec && { techSpec }) });
  const { description: _, problemStatement: __, solution: ___, apiChanges: ____, testPlan: _____, ...facts } = ticket;
  return { ...facts, ...readContent(document), document };
}
