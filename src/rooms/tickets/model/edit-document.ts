import { assignCriterionIds } from "../reading/criteria.ts";
import { structured } from "../reading/loose.ts";
import type { Criterion, Ticket, TicketChanges, TicketDocument } from "./ticket.ts";

/** Fields of the document that a change sets at the top level, where they win over what a server's `techSpec` says. */
const plainFields = ["description", "problemStatement", "solution", "apiChanges", "testPlan"] as const;
const listFields = ["designRefs", "assumptions", "inScope", "outOfScope"] as const;

/** Where else a field may be written; taken away when it is set, or clearing it would bring the old text back. */
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

type Edited = {
  document: TicketDocument;
  /** What the changed fields said before. */
  former: Record<string, unknown>;
};

/** The document with these changes, and what they took the place of. What is the same as before is no change. */
export function editDocument(ticket: Ticket, changes: TicketChanges): Edited {
  const isTouched = documentFields.some((field) => changes[field] !== undefined);
  const document = isTouched ? structuredClone(ticket.document) : ticket.document;
  const former: Record<string, unknown> = {};
  const set = (field: string, value: unknown, before: unknown) => {
    if (same(value, before)) return;
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
  if (
    same(
      texts,
      before.map(({ text }) => text),
    )
  )
    return;
  const { ids, used: nowUsed } = assignCriterionIds(before, texts, highestCriterionNumber(document));
  former["acceptanceCriteria"] = before;
  for (const path of otherPlaces["acceptanceCriteria"] ?? []) removeAt(document, path);
  document["acceptanceCriteria"] = texts.map((text, index) => kept(before, ids[index], text) ?? text);
  document["acceptanceCriteriaIds"] = ids;
  document["acceptanceCriteriaUsed"] = nowUsed;
}

/** The highest number that a criterion of the ticket ever had, as far as it was written down. */
export function highestCriterionNumber({ acceptanceCriteriaUsed: highest }: TicketDocument): number {
  return typeof highest === "number" ? highest : 0;
}

/** A criterion that was not touched keeps its parts and notes. */
function kept(before: readonly Criterion[], id: string | undefined, text: string): Criterion | undefined {
  return before.find(
    (criterion) => criterion.id === id && criterion.text === text && Object.keys(criterion).length > 2,
  );
}

/** A server may have the files inside the solution; they outlive it. */
function keepFiles(document: TicketDocument, { fileChanges }: Ticket): void {
  const { fileChanges: own } = document;
  if (!isEmpty(own) || fileChanges.length === 0) return;
  document["fileChanges"] = fileChanges;
}

function removeAt(document: TicketDocument, path: readonly string[]): void {
  let place: unknown = document;
  for (const key of path.slice(0, -1)) {
    if (!isObject(place) || !Object.hasOwn(place, key)) return;
    // Some servers send JSON in a string; what is taken out of it must stay out.
    const inner = structured(place[key]);
    if (isObject(inner)) place[key] = inner;
    place = inner;
  }
  if (isObject(place)) delete place[path.at(-1) ?? ""];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function same(a: unknown, b: unknown): boolean {
  return (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);
}
