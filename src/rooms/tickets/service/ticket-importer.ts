import { isDeepStrictEqual } from "node:util";
import type { Claims } from "../../../commons/claims/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/visible.ts";
import { limits } from "../model/limits.ts";
import { previousStatusAfter } from "../model/transitions.ts";
import { ticketExists } from "../model/errors.ts";
import { localNumber, requireId } from "../model/ids.ts";
import type { TicketDocument } from "../model/ticket.ts";
import { requireMove, statuses } from "../model/status.ts";
import { readFacts } from "../reading/facts.ts";
import { factColumns, fullDocument, withoutFacts } from "../store/fact-columns.ts";
import { parseDocument, type TicketRow, toTicket } from "../store/rows.ts";
import type { TicketStore, Tx } from "../store/ticket-store.ts";
import { type TicketWriter, type HistoryEvent, isDone } from "./ticket-writer.ts";
import type { Author, ImportedTicket, ImportOutcome, OnExisting } from "./tickets.ts";

type Facts = Omit<ReturnType<typeof readFacts>, "warnings">;

/** Brings tickets in from files: what is in them was written by whoever wrote the file. */
export class TicketImporter {
  readonly #store: TicketStore;
  readonly #changing: TicketWriter;
  readonly #claims: Claims;
  readonly #now: () => number;

  constructor(store: TicketStore, changing: TicketWriter, claims: Claims, now: () => number) {
    this.#store = store;
    this.#changing = changing;
    this.#claims = claims;
    this.#now = now;
  }

  async import(tx: Tx, by: Author, { document, source }: ImportedTicket, onExisting: OnExisting): Promise<ImportOutcome> {
    const { warnings: _, ...facts } = readFacts(document);
    requireUnderstood(document, facts, source);
    const title = requireTitle(facts, source);
    const given = facts.id === undefined ? undefined : requireId(facts.id);
    const existing = given === undefined ? undefined : await this.#store.find(tx, given);
    if (!existing) return this.#add(tx, by, { facts, title, document, source }, given);
    if (onExisting === "refuse") throw ticketExists(existing.id);
    if (onExisting === "skip") return { id: existing.id, outcome: "skipped" };
    if (onExisting === "replace") return this.#replace(tx, by, existing, { facts, title, document, source });
    const { slug: __, ...others } = facts;
    const added = await this.#add(tx, by, { facts: others, title, document, source }, undefined);
    return { ...added, ...(given !== undefined && { was: given }) };
  }

  async #add(tx: Tx, by: Author, ticket: Incoming, given: string | undefined): Promise<ImportOutcome> {
    const { facts, title, document, source } = ticket;
    const number = given === undefined ? undefined : localNumber(given);
    if (number !== undefined) await this.#store.skipNumber(tx, number);
    const id = given ?? (await this.#store.nextId(tx));
    const now = this.#now();
    const columns = {
      ...factColumns(facts),
      id,
      title,
      status: facts.status ?? "DRAFT",
      created_at: timeOf(facts.createdAt) ?? now,
      updated_at: timeOf(facts.updatedAt) ?? now,
      created_by: facts.createdBy ?? by.principal.name,
      updated_by: by.principal.name,
      revision: 1,
      is_foreign: 1,
    };
    const happening = { kind: "imported", details: { source } } as const;
    await this.#changing.add(tx, by, columns, withoutFacts(document, facts), happening);
    return { id, outcome: "added" };
  }

  async #replace(tx: Tx, by: Author, row: TicketRow, { facts, title, document, source }: Incoming): Promise<ImportOutcome> {
    const before = toTicket(row);
    const status = facts.status ?? before.status;
    requireMove(row.id, before.status, status, before.previousStatus);
    await this.#claims.requireFree(tx, row.id, by.principal);
    const columns = {
      ...factColumns(facts),
      assignee: facts.assignee ?? row.assignee,
      previous_status: previousStatusAfter(before, status),
      title,
      status,
      is_foreign: 1,
    };
    const rest = withoutFacts(document, facts);
    const isSame =
      isDeepStrictEqual(rest, parseDocument(row)) &&
      Object.entries(columns).every(([name, value]) => name === "is_foreign" || row[name as keyof TicketRow] === value);
    if (isSame) return { id: row.id, outcome: "unchanged" };
    const happenings: HistoryEvent[] = [{ kind: "imported", details: { source, replaced: fullDocument(before) } }];
    if (status !== before.status) happenings.push({ kind: "status", details: { from: before.status, to: status } });
    if (isDone(status)) await this.#claims.end(tx, row.id);
    await this.#changing.write(tx, by, { row, ticket: before }, { columns, document: rest, events: happenings });
    return { id: row.id, outcome: "replaced" };
  }
}

type Incoming = { facts: Facts; title: string; document: TicketDocument; source: string };

/** Under which id, and where it stands, is not for us to guess: what is no id or status is refused. */
function requireUnderstood({ id, status }: TicketDocument, facts: Facts, source: string): void {
  const refused =
    typeof id === "string" && id.trim() !== "" && facts.id === undefined
      ? {
          what: `the id "${visible(id.slice(0, 64))}", which is no ticket's id`,
          expected: "letters, digits, _ and - only",
        }
      : typeof status === "string" && status.trim() !== "" && facts.status === undefined
        ? { what: `the status "${visible(status.slice(0, 64))}", which is none`, expected: statuses.join(", ") }
        : undefined;
  if (!refused) return;
  throw new ForgeError(
    "VALIDATION_ERROR",
    `A ticket in ${visible(source)} has ${refused.what}. None of the tickets in it was imported.`,
    {
      details: { source, expected: refused.expected },
      next: [`Correct it (${refused.expected}) or leave it out.`],
    },
  );
}

function requireTitle({ title }: Facts, source: string): string {
  const text = title?.trim() ?? "";
  if (text !== "" && text.length <= limits.title) return text;
  const what = text === "" ? "has no title" : `has a title of ${text.length} characters, over ${limits.title}`;
  throw new ForgeError(
    "VALIDATION_ERROR",
    `A ticket in ${visible(source)} ${what}. None of the tickets in it was imported.`,
    {
      details: { source },
      next: ["Give it a `title` (a first line `# Title` in Markdown) and import it again."],
    },
  );
}

function timeOf(iso: string | undefined): number | undefined {
  const time = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isFinite(time) && time >= 0 ? time : undefined;
}
