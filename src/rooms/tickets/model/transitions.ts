import { isDeepStrictEqual } from "node:util";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { assignCriterionIds } from "../reading/criteria.ts";
import { readContent } from "../reading/read-content.ts";
import type { Transition, HistoryEvent } from "../service/ticket-writer.ts";
import type { WorkBase } from "../service/tickets.ts";
import { factColumns, type ImportedFacts, withoutFacts } from "../store/fact-columns.ts";
import { editDocument, highestCriterionNumber } from "./edit-document.ts";
import { localNumber, requireId } from "./ids.ts";
import type { Ticket, TicketChanges, TicketDocument } from "./ticket.ts";
import { requireMove, requireStatus, type Status } from "./status.ts";

/** What becomes of a ticket, as pure functions of what it is: no store, no clock. */

/** What a draft is written on. */
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
  const happening: HistoryEvent = onlyAssignee
    ? { kind: "assigned", details: { from: former["assignee"], to: changes.assignee ?? null } }
    : { kind: "updated", details: { former } };
  return { columns, document, events: [happening] };
}

/** Where the table allows it; who starts the work of a ticket that is nobody's is on it. */
export function applyMove(ticket: Ticket, to: Status, mover: Principal): Transition {
  const from = ticket.status;
  const assigned = to === "CREATED" ? applyAssignment(ticket, mover) : { columns: {}, happenings: [] };
  return {
    columns: { status: to, previous_status: to === "ARCHIVED" ? from : null, ...assigned.columns },
    events: [{ kind: "status", details: { from, to } }, ...assigned.happenings],
  };
}

type Assigning = { columns: { assignee?: string }; happenings: HistoryEvent[] };

/** A ticket that is nobody's becomes the caller's. */
export function applyAssignment(ticket: Ticket, { name }: Principal): Assigning {
  if (ticket.assignee !== undefined) return { columns: {}, happenings: [] };
  return { columns: { assignee: name }, happenings: [{ kind: "assigned", details: { from: null, to: name } }] };
}

/** The first start says what later changes are compared with; a start after a hand-back is a new first one. */
export function applyStart(ticket: Ticket, starter: Principal, base: WorkBase): Transition | undefined {
  const { columns } = applyAssignment(ticket, starter);
  const { executionBase } = ticket.document;
  const resumes = ticket.status === "CREATED" && executionBase !== undefined;
  if (resumes && columns.assignee === undefined) return undefined;
  return {
    columns,
    ...(!resumes && { document: { ...ticket.document, executionBase: base } }),
    events: [{ kind: "started", details: { ...base, ...columns } }],
  };
}

/** Where work on a ticket began, if it was begun through Forge. */
export function workBaseOf({ document: { executionBase } }: Ticket): WorkBase {
  if (executionBase === null || typeof executionBase !== "object") return {};
  const { branch, commit } = executionBase as Record<string, unknown>;
  return { ...(typeof branch === "string" && { branch }), ...(typeof commit === "string" && { commit }) };
}

export function requireCompletable({ id, status, previousStatus }: Ticket): void {
  requireMove(id, status, "COMPLETE", previousStatus);
  if (status !== "COMPLETE") return;
  throw new ForgeError("VALIDATION_ERROR", `${id} is COMPLETE already; what was done for it stays as it was said.`, {
    details: { ticketId: id, status },
    next: [`To go on with it, move it first: forge status ${id} CREATED.`],
  });
}

export function requireClaimable({ id, status }: Ticket): void {
  if (status !== "COMPLETE" && status !== "ARCHIVED") return;
  throw new ForgeError("VALIDATION_ERROR", `${id} is ${status}: there is nothing to claim.`, {
    details: { ticketId: id, status },
    next: ["Choose a ticket that is still to be done: list_tickets with status READY."],
  });
}

/** The whole ticket as somebody wrote it anew. Its id is not for change; its status is, where the table allows the move. */
export function applyReplacement(ticket: Ticket, document: TicketDocument, facts: ImportedFacts): Transition | undefined {
  if (facts.id !== undefined && requireId(facts.id) !== ticket.id) throw otherId(ticket.id, facts.id);
  const title = facts.title?.trim();
  if (!title)
    throw new ForgeError("VALIDATION_ERROR", `${ticket.id} needs a title.`, {
      next: ["Write one in the first heading: # Title."],
    });
  const status = facts.status === undefined ? ticket.status : requireStatus(facts.status);
  requireMove(ticket.id, ticket.status, status, ticket.previousStatus);
  const slug = facts.slug ?? ticket.slug;
  const columns = {
    ...factColumns({ ...facts, ...(slug !== undefined && { slug }) }),
    title,
    status,
    previous_status: previousStatusAfter(ticket, status),
  };
  const rest = withCriterionIds(ticket, withoutFacts(document, facts));
  const happenings: HistoryEvent[] = [];
  const former = differing(ticket, columns, rest);
  if (status !== ticket.status) happenings.push({ kind: "status", details: { from: ticket.status, to: status } });
  if (Object.keys(former).length > 0) happenings.push({ kind: "updated", details: { former } });
  return happenings.length === 0 ? undefined : { columns, document: rest, events: happenings };
}

/** What an archived ticket goes back to. */
export function previousStatusAfter({ status: from, previousStatus }: Pick<Ticket, "status" | "previousStatus">, to: Status) {
  if (to !== "ARCHIVED") return null;
  return from === "ARCHIVED" ? (previousStatus ?? null) : from;
}

/** Criteria keep their ids through an edit of the text, wherever they moved. */
function withCriterionIds(ticket: Ticket, document: TicketDocument): TicketDocument {
  const texts = readContent(document).criteria.map(({ text }) => text);
  const isSame = isDeepStrictEqual(
    texts,
    ticket.criteria.map(({ text }) => text),
  );
  if (isSame || texts.length === 0) return document;
  const { ids, used } = assignCriterionIds(ticket.criteria, texts, highestCriterionNumber(ticket.document));
  return { ...document, acceptanceCriteriaIds: ids, acceptanceCriteriaUsed: used };
}

function differing(
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

function otherId(id: string, given: string): ForgeError {
  const kind = localNumber(given) === undefined ? "given by the server" : "given once";
  return new ForgeError("VALIDATION_ERROR", `The id of ${id} cannot become ${given.slice(0, 64)}: ids are ${kind}.`, {
    next: [`Put the id back to ${id}. To make another ticket of the text, import it with --on-existing new-id.`],
  });
}
