import { isDeepStrictEqual } from "node:util";
import type { Claims } from "../../../commons/claims/index.ts";
import { ticketExists } from "../model/errors.ts";
import { localNumber, requireId } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { requireNoBlockers } from "../model/questions.ts";
import { requireMove } from "../model/status.ts";
import type { Ticket, TicketDocument } from "../model/ticket.ts";
import {
  type HistoryEvent,
  isDone,
  markUnproven,
  previousStatusAfter,
  requireJudged,
  requireSameProof,
  withCriterionIds,
} from "../model/transitions.ts";
import { keepWorkBase } from "../model/work-base.ts";
import { readFacts } from "../reading/facts.ts";
import { readContent } from "../reading/read-content.ts";
import { factColumns, fullDocument, withoutFacts } from "../store/fact-columns.ts";
import { parseDocument, type TicketRow, toTicket } from "../store/rows.ts";
import type { TicketStore, Tx } from "../store/ticket-store.ts";
import { invalidImportedId, invalidImportedStatus, invalidImportedTitle } from "./errors.ts";
import type { TicketWriter } from "./ticket-writer.ts";
import type { Author, ExistingIdPolicy, ImportedTicket, ImportOutcome } from "./tickets.ts";

type Facts = Omit<ReturnType<typeof readFacts>, "warnings">;
type IncomingTicket = ImportedTicket & { facts: Facts; title: string };
type ImporterOptions = { store: TicketStore; writer: TicketWriter; claims: Claims; now: () => number };

/** Imports tickets from files. Whoever wrote the file wrote their text. */
export class TicketImporter {
  readonly #store: TicketStore;
  readonly #writer: TicketWriter;
  readonly #claims: Claims;
  readonly #now: () => number;

  constructor({ store, writer, claims, now }: ImporterOptions) {
    this.#store = store;
    this.#writer = writer;
    this.#claims = claims;
    this.#now = now;
  }

  async import(tx: Tx, by: Author, incoming: ImportedTicket, onExisting: ExistingIdPolicy): Promise<ImportOutcome> {
    const { document, source } = incoming;
    const { warnings: _, ...facts } = readFacts(document);
    requireUnderstood(document, facts, source);
    const title = requireTitle(facts, source);
    const given = facts.id === undefined ? undefined : requireId(facts.id);
    const existing = given === undefined ? undefined : await this.#store.find(tx, given);
    if (!existing) return this.#add(tx, by, { ...incoming, facts, title }, given);
    if (onExisting === "refuse") throw ticketExists(existing.id);
    if (onExisting === "skip") return { id: existing.id, outcome: "skipped" };
    if (onExisting === "replace") return this.#replace(tx, by, existing, { ...incoming, facts, title });
    const { slug: __, ...others } = facts;
    const added = await this.#add(tx, by, { ...incoming, facts: others, title }, undefined);
    return { ...added, ...(given !== undefined && { was: given }) };
  }

  async #add(tx: Tx, by: Author, ticket: IncomingTicket, given: string | undefined): Promise<ImportOutcome> {
    const { title, document, source, proof } = ticket;
    const facts = await this.#withFreeSlug(tx, ticket.facts, undefined);
    const number = given === undefined ? undefined : localNumber(given);
    if (number !== undefined) await this.#store.skipNumber(tx, number);
    const id = given ?? (await this.#store.nextId(tx));
    const now = this.#now();
    const columns = {
      ...factColumns(facts),
      id,
      title,
      status: facts.status ?? "DRAFT",
      // What a file says of these is kept as `imported`: it cannot decide who wrote a ticket here, or when.
      created_at: now,
      updated_at: now,
      created_by: by.principal.name,
      updated_by: by.principal.name,
      revision: 1,
      is_foreign: 1,
      ...(isComplete(facts) && markUnproven(readContent(document), "COMPLETE", proof)),
    };
    const event = { kind: "imported", details: { source } } as const;
    const rest = keepWorkBase(withoutFacts(document, ticket.facts), {});
    await this.#writer.add(tx, by, columns, withImported(rest, facts), event);
    return { id, outcome: "added" };
  }

  /** A slug names one ticket: if another one has it already, this one is known by its id alone. */
  async #withFreeSlug(tx: Tx, facts: Facts, row: TicketRow | undefined): Promise<Facts> {
    const { slug, ...others } = facts;
    if (slug === undefined) return facts;
    const owner = await this.#store.findSlug(tx, slug);
    return owner === undefined || owner === row?.seq ? facts : others;
  }

  async #replace(
    tx: Tx,
    by: Author,
    row: TicketRow,
    { facts: given, title, document, source, proof, judged }: IncomingTicket,
  ): Promise<ImportOutcome> {
    const facts = await this.#withFreeSlug(tx, given, row);
    const before = toTicket(row);
    const status = facts.status ?? before.status;
    requireMove(row.id, before.status, status, before.previousStatus);
    if (status === "COMPLETE" && before.status !== status) requireNoBlockers(before, "it is complete");
    // One that the same import, or somebody else, has just put in progress was not judged as such.
    requireJudged(before, status, proof);
    if (judged) requireSameProof(judged, before);
    await this.#claims.requireFree(tx, row.id, by.principal);
    const written = keepWorkBase(withoutFacts(document, given), before.document);
    const rest = withCriterionIds(before, withImported(written, given, before));
    const columns = {
      ...factColumns(facts),
      assignee: facts.assignee ?? row.assignee,
      previous_status: previousStatusAfter(before, status),
      title,
      status,
      is_foreign: 1,
      ...(status !== before.status && markUnproven({ ...before, ...readContent(rest) }, status, proof)),
    };
    const isSame =
      isDeepStrictEqual(rest, parseDocument(row)) &&
      Object.entries(columns).every(([name, value]) => name === "is_foreign" || row[name as keyof TicketRow] === value);
    if (isSame) return { id: row.id, outcome: "unchanged" };
    const events: HistoryEvent[] = [{ kind: "imported", details: { source, replaced: fullDocument(before) } }];
    if (status !== before.status) events.push({ kind: "status", details: { from: before.status, to: status } });
    if (isDone(status)) await this.#claims.end(tx, row.id);
    await this.#writer.write(tx, by, { row, ticket: before }, { columns, document: rest, events });
    return { id: row.id, outcome: "replaced" };
  }
}

/** Complete, or archived when it was. */
export function isComplete({ status, previousStatus }: Pick<Facts, "status" | "previousStatus">): boolean {
  return status === "COMPLETE" || (status === "ARCHIVED" && previousStatus === "COMPLETE");
}

/** An id or a status that cannot be read is an error: guessing it would import the ticket as something else. */
function requireUnderstood({ id, status }: TicketDocument, facts: Facts, source: string): void {
  if (isGiven(id) && facts.id === undefined) throw invalidImportedId(id, source);
  if (isGiven(status) && facts.status === undefined) throw invalidImportedStatus(status, source);
}

function isGiven(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function requireTitle({ title }: Facts, source: string): string {
  const text = title?.trim() ?? "";
  if (text === "" || text.length > limits.title) throw invalidImportedTitle(text, source);
  return text;
}

type ServerFacts = Partial<Pick<Ticket, "createdBy" | "createdAt" | "updatedAt">>;

/** Author and dates of the file, beside the ticket's own. A file that was exported from here says nothing new. */
function withImported(document: TicketDocument, said: ServerFacts, own: ServerFacts = {}): TicketDocument {
  const isNew = (name: keyof ServerFacts) => said[name] !== undefined && said[name] !== own[name];
  const imported = {
    ...(isNew("createdBy") && { author: said.createdBy }),
    ...(isNew("createdAt") && { createdAt: said.createdAt }),
    ...(isNew("updatedAt") && { updatedAt: said.updatedAt }),
  };
  return Object.keys(imported).length === 0 ? document : { ...document, imported };
}
