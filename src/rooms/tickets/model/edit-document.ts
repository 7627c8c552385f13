import { isRecord } from "../../../kernel/json.ts";
import { assignCriterionIds } from "../reading/criteria.ts";
import { parseStructured } from "../reading/loose.ts";
import type { Criterion, Ticket, TicketChanges, TicketDocument } from "./ticket.ts";

/** Fields that a change sets at the top level of the document, where they win over those in a server's `techSpec`. */
const plainFields = ["description", "problemStatement", "solution", "apiChanges", "testPlan"] as const;
const listFields = ["designRefs", "assumptions", "inScope", "outOfScope", "labels", "dependsOn"] as const;

/** Other places of a field. They are removed when the field is set: otherwise clearing it would bring the old text back. */
const otherPlaces: Record<string, readonly (readonly [string, ...string[]])[]> = {
  problemStatement: [["techSpec", "problemStatement"]],
  solution: [["techSpec", "solution"]],
  apiChanges: [["techSpec", "apiChanges"]],
  testPlan: [["techSpec", "testPlan"]],
  designRefs: [["designReferences"]],
  inScope: [["techSpec", "inScope"]],
  outOfScope: [["techSpec", "outOfScope"]],
  acceptanceCriteria: [["techSpec", "acceptanceCriteria"]],
  fileChanges: [
    ["techSpec", "fileChanges"],
    ["techSpec", "layeredFileChanges"],
    ["techSpec", "solution", "fileChanges"],
  ],
};

const documentFields = [...plainFields, ...listFields, "fileChanges", "acceptanceCriteria"] as const;

type EditedDocument = {
  document: TicketDocument;
  /** Former values of the changed fields. */
  former: Record<string, unknown>;
};

/** The document with these changes, and the former values. A field that stays the same is not a change. */
export function editDocument(ticket: Ticket, changes: TicketChanges): EditedDocument {
  const isTouched = documentFields.some((field) => changes[field] !== undefined);
  const document = isTouched ? structuredClone(ticket.document) : ticket.document;
  const former: Record<string, unknown> = {};
  const set = (field: string, value: unknown, before: unknown) => {
    if (isSame(value, before)) return;
    former[field] = before ?? null;
    if (field === "solution" || field === "fileChanges") keepFiles(document, ticket);
    for (const path of otherPlaces[field] ?? []) removeAt(document, path);
    if (isEmpty(value)) delete document[field];
    else document[field] = value;
  };
  for (const field of plainFields) if (changes[field] !== undefined) set(field, changes[field], ticket[field]);
  for (const field of listFields) if (changes[field] !== undefined) set(field, changes[field], ticket[field]);
  if (changes.fileChanges !== undefined) set("fileChanges", changes.fileChanges, ticket.fileChanges);
  if (changes.acceptanceCriteria !== undefined) setCriteria(document, ticket, changes.acceptanceCriteria, former);
  return { document, former };
}

function setCriteria(document: TicketDocument, ticket: Ticket, texts: string[], former: Record<string, unknown>): void {
  const before = ticket.criteria;
  const textsBefore = before.map(({ text }) => text);
  if (isSame(texts, textsBefore)) return;
  const { ids, used } = assignIds(ticket, texts);
  former["acceptanceCriteria"] = before;
  for (const path of otherPlaces["acceptanceCriteria"] ?? []) removeAt(document, path);
  document["acceptanceCriteria"] = texts.map((text, index) => untouchedCriterion(before, ids[index], text) ?? text);
  document["acceptanceCriteriaIds"] = ids;
  document["acceptanceCriteriaUsed"] = used;
}

/** Ids for a new list of criteria: those that stay keep theirs. */
export function assignIds({ criteria, document, records = {} }: Ticket, texts: readonly string[]) {
  const removed = records.dropped?.filter((one) => !criteria.some(({ id }) => id === one.criterion)) ?? [];
  return assignCriterionIds(
    criteria,
    texts,
    highestCriterionNumber(document),
    removed.map(({ criterion: id, text }) => ({ id, text })),
  );
}

/** The highest number that a criterion of the ticket ever had, as far as the document records it. */
function highestCriterionNumber({ acceptanceCriteriaUsed: highest }: TicketDocument): number {
  return typeof highest === "number" ? highest : 0;
}

/** A criterion that was not edited keeps its parts and notes. */
function untouchedCriterion(before: readonly Criterion[], id: string | undefined, text: string): Criterion | undefined {
  return before.find(
    (criterion) => criterion.id === id && criterion.text === text && Object.keys(criterion).length > 2,
  );
}

/** A server may keep the files inside the solution; they stay when the solution is replaced. */
function keepFiles(document: TicketDocument, { fileChanges }: Ticket): void {
  const { fileChanges: own } = document;
  if (!isEmpty(own) || fileChanges.length === 0) return;
  document["fileChanges"] = fileChanges;
}

function removeAt(document: TicketDocument, path: readonly string[]): void {
  let place: unknown = document;
  for (const key of path.slice(0, -1)) {
    if (!isRecord(place) || !Object.hasOwn(place, key)) return;
    // Some servers send JSON in a string: it is parsed, so that what is removed from it stays removed.
    const inner = parseStructured(place[key]);
    if (isRecord(inner)) place[key] = inner;
    place = inner;
  }
  if (isRecord(place)) delete place[path.at(-1) ?? ""];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function isSame(a: unknown, b: unknown): boolean {
  return (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);
}
