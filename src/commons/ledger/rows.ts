import type { Insertable, Selectable } from "kysely";
import type { CallRecord } from "../../kernel/calls/call.ts";
import { type Effect, effects } from "../../kernel/effect.ts";
import { type ErrorCode, errorCodes } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { isRelayMark, type LedgerEntry, type Outcome } from "./model.ts";
import type { EntryTable } from "./schema.ts";

/** When it is written, and after how many changes of the clock, the store knows. */
export type NewRow = Omit<Insertable<EntryTable>, "written_at" | "era">;

/** Clients choose their names and arguments; an entry stays small whatever they send. */
const max = { text: 300, list: 100 };

const halfCharacters = /\p{Surrogate}/gu;

/** The one way into the ledger: without secrets, within bounds. */
export function toRow(record: CallRecord, redactor: Redactor, aliveUntil: number | null): NewRow {
  // Cut after redacting: half a secret no longer looks like one. PostgreSQL has no text with NUL or half a character in it.
  const clean = (text: string) => cut(redactor.text(text).replaceAll("\0", "\ufffd")).replace(halfCharacters, "\ufffd");
  const list = (items: string[]) => JSON.stringify([...new Set(items.slice(0, max.list).map(clean))]);
  return {
    id: record.id,
    at: Math.round(record.at),
    kind: record.kind,
    name: clean(record.name),
    effect: record.effect,
    principal: clean(record.principal),
    agent: record.agent === undefined ? null : clean(record.agent),
    about: list(record.about),
    evidence: list(record.evidence),
    outcome: record.outcome,
    code: record.code ?? null,
    duration_ms: Math.max(0, Math.round(record.durationMs)),
    alive_until: aliveUntil,
  };
}

/** `isDead` tells of an open entry whether its process has gone without closing it. */
export function fromRow(row: Selectable<EntryTable>, isDead: (aliveUntil: number | null) => boolean): LedgerEntry {
  const outcome = oneOf(outcomes, row.outcome) ?? "interrupted";
  return {
    seq: row.seq,
    id: row.id,
    at: row.at,
    kind: oneOf(kinds, row.kind) ?? "tool",
    name: row.name,
    effect: isEffect(row.effect) ? row.effect : "act",
    principal: row.principal,
    agent: row.agent ?? undefined,
    about: parseTexts(row.about).filter((item) => !isRelayMark(item)),
    outcome: outcome === "open" && isDead(row.alive_until) ? "interrupted" : outcome,
    code: codeOf(row.code),
    durationMs: row.duration_ms,
    evidence: parseTexts(row.evidence),
    committed: true,
  };
}

export function parseTexts(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
}

const outcomes: readonly Outcome[] = ["open", "ok", "error", "cancelled", "asked", "interrupted"];
const kinds: readonly CallRecord["kind"][] = ["tool", "prompt", "resource", "completion", "command", "route"];

function oneOf<T extends string>(known: readonly T[], text: string): T | undefined {
  return known.find((item) => item === text);
}

function isEffect(text: string): text is Effect {
  return Object.hasOwn(effects, text);
}

function codeOf(text: string | null): ErrorCode | undefined {
  return text === null ? undefined : oneOf(errorCodes, text);
}

function cut(text: string): string {
  return text.length > max.text ? `${text.slice(0, max.text - 1)}…` : text;
}
