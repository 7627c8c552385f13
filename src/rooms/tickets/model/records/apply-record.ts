import type { Check, NewCheck } from "../../../../commons/evidence/checks.ts";
import { sayCriterion } from "../../../../commons/evidence/criterion-states.ts";
import { maxChecks, maxSeen } from "../../../../commons/evidence/limits.ts";
import { isSignedBy, type Principal } from "../../../../kernel/principal.ts";
import { limits } from "../limits.ts";
import type { Ticket } from "../ticket.ts";
import type { HistoryEvent, Transition } from "../transitions.ts";
import {
  checkExists,
  checkNotFound,
  criterionNotFound,
  criterionReworded,
  notALook,
  nothingOfKnownChecks,
  onlyAPerson,
  recordsFull,
  waiverEnds,
} from "./errors.ts";
import { fitVerifications } from "./fit-verifications.ts";
import { keepVerifications } from "./keep-verifications.ts";
import type { RecordEntry, TicketRecords, WorkRecord } from "./schema.ts";

type Recorder = { principal: Principal; by: string; at: string };
const sayGreen = "say that a check passes before and after the change";

type Entry<Kind extends RecordEntry["kind"]> = Extract<RecordEntry, { kind: Kind }>;

/** Adds an entry to a ticket's records, as a pure function. What lowers the bar is for a person only. */
export function applyRecord(ticket: Ticket, entry: RecordEntry, recorder: Recorder): Transition | undefined {
  const records = ticket.records ?? {};
  switch (entry.kind) {
    case "comment":
      return addComment(ticket, records, entry, recorder);
    case "work":
      return recordWork(records, entry, recorder);
    case "check":
      return bindCheck(ticket, records, entry.check, recorder);
    case "unbind":
      return unbindCheck(ticket, records, entry, recorder);
    case "look":
      return recordLook(ticket, records, entry, recorder);
    case "verification":
      return recordVerification(ticket, records, entry, recorder);
    case "waiver":
      return waive(ticket, records, entry, recorder);
  }
}

function makeTransition(
  records: TicketRecords,
  kind: HistoryEvent["kind"],
  details: HistoryEvent["details"],
): Transition {
  return { records, events: [{ kind, details }] };
}

function stamp({ by, at, principal }: Recorder): { by: string; at: string; agent?: string } {
  const isPerson = principal.atKeyboard === true || principal.agent === undefined;
  return { by, at, ...(!isPerson && { agent: principal.agent ?? "" }) };
}

function addComment(ticket: Ticket, records: TicketRecords, { text }: Entry<"comment">, { by, at }: Recorder) {
  const { comments = [] } = records;
  if (comments.length >= limits.comments) throw recordsFull(ticket.id, "comments", limits.comments);
  const id = `M-${comments.length + 1}`;
  return makeTransition({ ...records, comments: [...comments, { id, by, at, text }] }, "comment", { comment: id });
}

/** One record for each execution, and on a server for each person who reports it; what a later entry of theirs says wins. */
function recordWork(
  records: TicketRecords,
  { work: given }: Entry<"work">,
  recorder: Recorder,
): Transition | undefined {
  const { work = [] } = records;
  const { principal } = recorder;
  // Its author is shown with it, and Forge takes what it names for their own work.
  const isTheirs = ({ execution, by }: WorkRecord) =>
    execution === given.execution && (principal.kind === "local" || isSignedBy(by, principal));
  const before = work.find(isTheirs);
  const isEnded = given.status !== "started";
  const after: WorkRecord = {
    ...stamp(recorder),
    ...before,
    ...given,
    // Proof is compared with it, so the first word on it stays.
    ...(before?.base !== undefined && { base: before.base }),
    ...(isEnded && { endedAt: before?.endedAt ?? recorder.at }),
  };
  if (before && JSON.stringify(before) === JSON.stringify(after)) return undefined;
  const others = work.filter((one) => !isTheirs(one));
  const details = { execution: given.execution, status: given.status, commit: after.commit, into: after.into };
  return makeTransition({ ...records, work: fitWork([...others, after]) }, "work", details);
}

/** Where there is too much, the oldest of the person who has most of it goes: nobody pushes out what others did. */
function fitWork(all: WorkRecord[]): WorkRecord[] {
  if (all.length <= limits.work) return all;
  const persons = all.map(({ by }) => by.split("/", 1)[0] ?? by);
  const countOf = (person: string) => persons.filter((one) => one === person).length;
  const [most = ""] = [...new Set(persons)].sort((a, b) => countOf(b) - countOf(a));
  return all.toSpliced(persons.indexOf(most), 1);
}

function bindCheck(ticket: Ticket, records: TicketRecords, given: NewCheck, recorder: Recorder): Transition {
  if (given.expectGreen) requirePerson(recorder, sayGreen);
  const { id: criterion } = requireCriterion(ticket, given.criterion);
  const { checks = [] } = records;
  const same = checks.find((check) => check.criterion === criterion && isSameHow(check, given));
  if (same) throw checkExists(ticket.id, same.id);
  if (checks.length >= maxChecks) throw recordsFull(ticket.id, "checks", maxChecks);
  const lastCheck = lastCheckOf(records) + 1;
  const check: Check = { ...given, criterion, id: `C-${lastCheck}`, ...stamp(recorder) };
  return makeTransition({ ...records, checks: [...checks, check], lastCheck }, "check", { check: check.id, criterion });
}

/** No id is used twice: what an earlier check showed, or what is reported of it later, is not another one's. */
export function lastCheckOf(records: TicketRecords): number {
  const { checks = [], lastCheck = 0 } = records;
  const used = [...checks.map(({ id }) => id), ...resultsIn(records).map(({ check }) => check)];
  return used.reduce((highest, id) => Math.max(highest, Number(id.slice(2)) || 0), lastCheck);
}

function resultsIn({ verifications = [] }: TicketRecords) {
  return verifications.flatMap(({ results }) => results);
}

function isSameHow(a: NewCheck, b: NewCheck): boolean {
  return JSON.stringify(a.how) === JSON.stringify(b.how);
}

function unbindCheck(ticket: Ticket, records: TicketRecords, { check: id }: Entry<"unbind">, recorder: Recorder) {
  requirePerson(recorder, "remove a check");
  const { id: known } = requireCheck(ticket, records, id);
  const checks = records.checks?.filter((check) => check.id !== known) ?? [];
  return makeTransition({ ...records, checks, lastCheck: lastCheckOf(records) }, "check", { removed: known });
}

function recordLook(ticket: Ticket, records: TicketRecords, entry: Entry<"look">, recorder: Recorder): Transition {
  requirePerson(recorder, "record a look");
  const found = requireCheck(ticket, records, entry.check);
  // What a test or command shows is not for anyone to say.
  if (found.how.type !== "look") throw notALook(found.id);
  const { by, at } = recorder;
  const { passed, saw, on } = entry;
  const looked: Check = { ...found, look: { by, at, passed, saw, ...(on && { on }) } };
  const checks = records.checks?.map((check) => (check.id === found.id ? looked : check)) ?? [];
  return makeTransition({ ...records, checks }, "look", { check: found.id, passed, saw });
}

function recordVerification(
  { id }: Ticket,
  records: TicketRecords,
  { verification: given }: Entry<"verification">,
  recorder: Recorder,
) {
  if (given.results.some(({ expectGreen }) => expectGreen)) requirePerson(recorder, sayGreen);
  const { verifications = [], checks = [] } = records;
  const known = new Set(checks.map(({ id }) => id));
  const results = given.results.filter(({ check }) => known.has(check));
  if (results.length === 0) throw nothingOfKnownChecks(id, [...known]);
  const verification = { ...given, results };
  const last = Number(verifications.at(-1)?.id.slice(2)) || 0;
  const isCi = recorder.principal.scopes !== "all" && recorder.principal.scopes.includes("proof:write");
  const made = { id: `V-${last + 1}`, ...verification, ...stamp(recorder), ...(isCi && { ci: true as const }) };
  const failed = verification.results.filter(({ outcome }) => outcome !== "passed").map(({ check }) => check);
  const details = { verification: made.id, commit: verification.commit, failed };
  const kept = fitVerifications(keepVerifications([...verifications, made], known));
  return makeTransition({ ...records, verifications: kept }, "verified", details);
}

function waive(ticket: Ticket, records: TicketRecords, { waiver }: Entry<"waiver">, recorder: Recorder): Transition {
  requirePerson(recorder, "waive a criterion");
  const removed = records.dropped?.map(({ criterion: id, text }) => ({ id, text })) ?? [];
  const found = requireCriterion({ ...ticket, criteria: [...ticket.criteria, ...removed] }, waiver.criterion);
  const { id: criterion, text } = found;
  if (waiver.text !== undefined && waiver.text !== text.slice(0, maxSeen))
    throw criterionReworded(ticket.id, criterion);
  const until = new Date(waiver.until);
  if (Number.isNaN(until.getTime()) || until.toISOString() <= recorder.at) throw waiverEnds(waiver.until);
  const { by, at } = recorder;
  const others = records.waivers?.filter((known) => known.criterion !== criterion) ?? [];
  const made = { criterion, text: sayCriterion(found), reason: waiver.reason, until: until.toISOString(), by, at };
  return makeTransition({ ...records, waivers: [...others, made] }, "waived", { criterion, reason: waiver.reason });
}

function requireCriterion<Criterion extends { id: string }>(
  { id, criteria }: { id: string; criteria: readonly Criterion[] },
  given: string,
): Criterion {
  const known = criteria.find((criterion) => criterion.id.toLowerCase() === given.trim().toLowerCase());
  if (known) return known;
  throw criterionNotFound(
    id,
    given,
    criteria.map((criterion) => criterion.id),
  );
}

function requireCheck({ id }: Ticket, { checks = [] }: TicketRecords, given: string): Check {
  const known = checks.find((check) => check.id.toLowerCase() === given.trim().toLowerCase());
  if (known) return known;
  throw checkNotFound(
    id,
    given,
    checks.map((check) => check.id),
  );
}

function requirePerson({ principal }: Recorder, what: string): void {
  if (!principal.atKeyboard) throw onlyAPerson(what);
}
