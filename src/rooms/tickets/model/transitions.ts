import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../kernel/json.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { readContent } from "../reading/read-content.ts";
import { factColumns, type ImportedFacts, withoutFacts } from "../store/fact-columns.ts";
import type { NewTicketRow } from "../store/rows.ts";
import { assignIds, editDocument } from "./edit-document.ts";
import { alreadyComplete, changedBeforeCompletion, idChanged, notClaimable, titleMissing } from "./errors.ts";
import { localNumber, requireId } from "./ids.ts";
import { type Asker, addQuestions, requireNoBlockers } from "./questions.ts";
import { isProven } from "./records/is-proven.ts";
import type { TicketRecords } from "./records/schema.ts";
import { requireMove, requireStatus, type Status } from "./status.ts";
import type {
  ChangeRecord,
  HistoryEntry,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketDocument,
  WorkBase,
} from "./ticket.ts";
import { keepWorkBase, positionOf, workBaseOf } from "./work-base.ts";

/** What a change makes of a ticket, as pure functions: no store, no clock. */

export type HistoryEvent = Pick<HistoryEntry, "kind" | "details">;

/** What a ticket becomes, and what its history says about it. */
export type Transition = {
  columns?: Partial<NewTicketRow>;
  document?: TicketDocument;
  records?: TicketRecords;
  events: HistoryEvent[];
};

/** What a new ticket is written on. */
export const emptyTicket: Ticket = {
  id: "",
  title: "",
  status: "DRAFT",
  createdAt: "",
  updatedAt: "",
  revision: 0,
  foreign: false,
  criteria: [],
  fileChanges: [],
  designRefs: [],
  assumptions: [],
  inScope: [],
  outOfScope: [],
  labels: [],
  dependsOn: [],
  questions: [],
  document: {},
};

const factFields = ["title", "type", "priority", "assignee"] as const;

export function applyUpdate(ticket: Ticket, changes: TicketChanges): Transition | undefined {
  const { document, former } = editDocument(ticket, changes);
  const columns: Record<string, string | null> = {};
  for (const field of factFields) {
    const value = changes[field];
    if (value === undefined || (value ?? undefined) === ticket[field]) continue;
    columns[field] = value;
    former[field] = ticket[field] ?? null;
  }
  const names = Object.keys(former);
  if (names.length === 0) return undefined;
  const onlyAssignee = names.length === 1 && names[0] === "assignee";
  const event: HistoryEvent = onlyAssignee
    ? { kind: "assigned", details: { from: former["assignee"], to: changes.assignee ?? null } }
    : { kind: "updated", details: { former } };
  return { columns, document, events: [event] };
}

/** The move itself; whether it is allowed is checked before. Starting an unassigned ticket assigns it to the caller. */
export function applyMove(
  ticket: Ticket,
  to: Status,
  mover: Principal,
  base?: WorkBase,
  proof?: ChangeRecord["proof"],
): Transition {
  const from = ticket.status;
  if (to === "COMPLETE") requireNoBlockers(ticket, "it is complete");
  requireJudged(ticket, to, proof);
  const assignment = to === "CREATED" ? applyAssignment(ticket, mover) : { columns: {}, events: [] };
  const document = documentAfterMove(ticket, to, base);
  return {
    columns: {
      status: to,
      previous_status: to === "ARCHIVED" ? from : null,
      ...markUnproven(ticket, to, proof),
      ...assignment.columns,
    },
    ...(document !== ticket.document && { document }),
    ...recordsAfterMove(ticket, to, mover, base),
    events: [
      { kind: "status", details: { from, to, ...(to === "CREATED" && positionOf(base)) } },
      ...assignment.events,
    ],
  };
}

/**
 * Completing a ticket that is in progress needs what the policy for proof says of it. Who asked for that while the ticket had
 * another status has no answer, and must not get past the policy because the status has changed since.
 */
export function requireJudged(
  { id, status }: Pick<Ticket, "id" | "status">,
  to: Status,
  proof: ChangeRecord["proof"] | undefined,
): void {
  if (status === "CREATED" && to === "COMPLETE" && proof === undefined) throw changedBeforeCompletion(id);
}

/** What was judged proven is what is completed: its criteria, or what is known of them, can have changed since. */
export function requireSameProof(judged: Ticket, now: Ticket): void {
  if (judged.revision === now.revision || isDeepStrictEqual(evidenceOf(judged), evidenceOf(now))) return;
  throw changedBeforeCompletion(now.id);
}

function evidenceOf({ criteria, records: { checks, verifications, waivers, dropped } = {} }: Ticket) {
  return { criteria, checks, verifications, waivers, dropped };
}

/** A ticket that was completed without proof stays marked while it is archived. */
export function markUnproven(
  ticket: Pick<Ticket, "criteria" | "records">,
  to: Status,
  proof?: ChangeRecord["proof"],
): { unproven?: number } {
  if (to === "ARCHIVED") return {};
  // Judged proven, and still so: its criteria may have changed since.
  const isUnproven = proof !== "off" && (proof === "unproven" || !isProven(ticket));
  return { unproven: Number(to === "COMPLETE" && isUnproven) };
}

/**
 * Where work started is known from the first sign of it, and forgotten when the work is handed back. A completed ticket that
 * is opened again starts again: what was done before is in the record of its completion.
 */
function documentAfterMove({ status: from, document }: Ticket, to: Status, base: WorkBase | undefined): TicketDocument {
  const { executionBase, ...rest } = document;
  if (from === "CREATED" && to === "READY") return executionBase === undefined ? document : rest;
  if (to !== "CREATED" || !base || (executionBase !== undefined && from !== "COMPLETE")) return document;
  return { ...rest, executionBase: base };
}

/**
 * Proof is compared with the commit where work started first: a later start must not choose an earlier one. A person who hands
 * the work back at a terminal lets it start again elsewhere.
 */
function recordsAfterMove(ticket: Ticket, to: Status, mover: Principal, base: WorkBase | undefined): RecordsChange {
  if (to === "CREATED") return recordsAfterStart(ticket, base);
  if (ticket.status !== "CREATED" || to !== "READY") return {};
  if (!mover.atKeyboard) return recordsAfterStart(ticket, undefined);
  const { base: former, ...records } = ticket.records ?? {};
  return former === undefined ? {} : { records };
}

function recordsAfterStart(ticket: Ticket, base: WorkBase | undefined): RecordsChange {
  const commit = workBaseOf(ticket).commit ?? base?.commit;
  if (ticket.records?.base !== undefined || commit === undefined) return {};
  return { records: { ...ticket.records, base: commit } };
}

type RecordsChange = Pick<Transition, "records">;

type Assignment = { columns: { assignee?: string }; events: HistoryEvent[] };

/** Assigns an unassigned ticket to the caller. */
export function applyAssignment(ticket: Ticket, { name }: Principal): Assignment {
  if (ticket.assignee !== undefined) return { columns: {}, events: [] };
  return { columns: { assignee: name }, events: [{ kind: "assigned", details: { from: null, to: name } }] };
}

/** The first start records what later changes are compared with. */
export function applyStart(ticket: Ticket, starter: Principal, base: WorkBase): Transition | undefined {
  const { columns } = applyAssignment(ticket, starter);
  const { executionBase } = ticket.document;
  const resumes = executionBase !== undefined;
  if (resumes && columns.assignee === undefined) return undefined;
  return {
    columns,
    ...(!resumes && { document: { ...ticket.document, executionBase: base } }),
    ...recordsAfterStart(ticket, base),
    events: [{ kind: "started", details: { ...positionOf(base), ...columns } }],
  };
}

/** Adds questions, and the answers that they came with. */
export function applyQuestions(ticket: Ticket, asked: readonly NewQuestion[], asker: Asker): Transition | undefined {
  const { document, added, answered } = addQuestions(ticket, asked, asker);
  const events: HistoryEvent[] = [];
  if (added.length > 0) events.push({ kind: "questions", details: { questions: added.map(({ id }) => id) } });
  if (answered.length > 0) events.push({ kind: "answers", details: { questions: answered } });
  return events.length === 0 ? undefined : { document, events };
}

/** Completes a ticket; the record of one that is complete can only be corrected, and its history keeps the former one. */
export function applyCompletion(ticket: Ticket, record: ChangeRecord, at: string, correct: boolean): Transition {
  const { id, status, previousStatus, document } = ticket;
  requireMove(id, status, "COMPLETE", previousStatus);
  if (status === "COMPLETE" && !correct) throw alreadyComplete(id);
  requireNoBlockers(ticket, "it is complete");
  // A record of one that was complete was to be corrected; it has been opened again since.
  if (correct) requireJudged(ticket, "COMPLETE", record.proof);
  const { changeRecord: former } = document;
  if (status === "COMPLETE") {
    const changeRecord = { ...(isRecord(former) && former), ...record, correctedAt: at };
    const details = { former: former ?? null, ...record };
    return { document: { ...document, changeRecord }, events: [{ kind: "corrected", details }] };
  }
  return {
    columns: { status: "COMPLETE", ...markUnproven(ticket, "COMPLETE", record.proof) },
    document: { ...document, changeRecord: { ...record, status: "awaiting_review", submittedAt: at } },
    events: [{ kind: "completed", details: { from: status, to: "COMPLETE", ...record } }],
  };
}

export function requireClaimable({ id, status }: Ticket): void {
  if (isDone(status)) throw notClaimable(id, status);
}

export function isDone(status: string | undefined): boolean {
  return status === "COMPLETE" || status === "ARCHIVED";
}

/** The complete ticket, rewritten. Its id stays; its status can change if the move is allowed. */
export function applyReplacement(
  ticket: Ticket,
  document: TicketDocument,
  facts: ImportedFacts,
  proof?: ChangeRecord["proof"],
): Transition | undefined {
  if (facts.id !== undefined && requireId(facts.id) !== ticket.id) {
    throw idChanged(ticket.id, facts.id, localNumber(facts.id) === undefined ? "server" : "local");
  }
  const title = facts.title?.trim();
  if (!title) throw titleMissing(ticket.id);
  const status = facts.status === undefined ? ticket.status : requireStatus(facts.status);
  requireMove(ticket.id, ticket.status, status, ticket.previousStatus);
  if (status === "COMPLETE" && ticket.status !== status) requireNoBlockers(ticket, "it is complete");
  requireJudged(ticket, status, proof);
  const slug = facts.slug ?? ticket.slug;
  const rest = withCriterionIds(ticket, keepWorkBase(withoutFacts(document, facts), ticket.document));
  const columns = {
    ...factColumns({ ...facts, ...(slug !== undefined && { slug }) }),
    title,
    status,
    previous_status: previousStatusAfter(ticket, status),
    ...(status !== ticket.status && markUnproven({ ...ticket, criteria: readContent(rest).criteria }, status, proof)),
  };
  const events: HistoryEvent[] = [];
  const former = changedFields(ticket, columns, rest);
  if (status !== ticket.status) events.push({ kind: "status", details: { from: ticket.status, to: status } });
  if (Object.keys(former).length > 0) events.push({ kind: "updated", details: { former } });
  return events.length === 0 ? undefined : { columns, document: rest, events };
}

/** The status that an archived ticket goes back to. */
export function previousStatusAfter(
  { status: from, previousStatus }: Pick<Ticket, "status" | "previousStatus">,
  to: Status,
) {
  if (to !== "ARCHIVED") return null;
  return from === "ARCHIVED" ? (previousStatus ?? null) : from;
}

/** Criteria keep their ids through an edit of the text, wherever they moved. */
export function withCriterionIds(ticket: Ticket, document: TicketDocument): TicketDocument {
  const { criteria } = readContent(document);
  const isSame = isDeepStrictEqual(criteria.map(idAndText), ticket.criteria.map(idAndText));
  if (isSame || criteria.length === 0) return document;
  const { ids, used } = assignIds(
    ticket,
    criteria.map(({ text }) => text),
  );
  return { ...document, acceptanceCriteriaIds: ids, acceptanceCriteriaUsed: used };
}

function idAndText({ id, text }: Ticket["criteria"][number]) {
  return { id, text };
}

/** The former values of all fields that differ. */
function changedFields(
  ticket: Ticket,
  columns: Record<string, unknown>,
  document: TicketDocument,
): Record<string, unknown> {
  const former: Record<string, unknown> = {};
  for (const field of factFields) {
    if ((columns[field] ?? undefined) !== ticket[field]) former[field] = ticket[field] ?? null;
  }
  for (const field of new Set([...Object.keys(document), ...Object.keys(ticket.document)])) {
    if (!isDeepStrictEqual(document[field], ticket.document[field])) former[field] = ticket.document[field] ?? null;
  }
  return former;
}
