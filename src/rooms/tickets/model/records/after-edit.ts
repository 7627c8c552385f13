import { isDeepStrictEqual } from "node:util";
import type { DroppedCriterion } from "../../../../commons/evidence/checks.ts";
import { sayCriterion } from "../../../../commons/evidence/criterion-states.ts";
import { type Principal, signatureOf } from "../../../../kernel/principal.ts";
import { readContent } from "../../reading/read-content.ts";
import { limits } from "../limits.ts";
import { requireBlockersKept } from "../questions.ts";
import { requireStatus } from "../status.ts";
import type { Ticket } from "../ticket.ts";
import type { Transition } from "../transitions.ts";
import { lastCheckOf } from "./apply-record.ts";
import { recordsFull } from "./errors.ts";
import { isProven } from "./is-proven.ts";
import type { TicketRecords } from "./schema.ts";

type EditedTicket = Pick<Ticket, "id" | "status" | "criteria" | "document" | "records">;
type Editor = { by: string; at: string; isPerson: boolean };

const startedStatuses: readonly Ticket["status"][] = ["CREATED", "DRIFTED", "COMPLETE", "ARCHIVED"];

export function editorOf(principal: Principal, now: number): Editor {
  const { atKeyboard } = principal;
  return { by: signatureOf(principal), at: new Date(now).toISOString(), isPerson: atKeyboard === true };
}

/** What a transition makes of a ticket's criteria and records. `unproven`: it is complete, and no longer proven. */
export function afterEdit(
  before: Ticket,
  { columns, document = before.document, records = before.records }: Transition,
  editor: Editor,
): EditedTicket & { unproven: boolean } {
  const isEdited = document !== before.document;
  const content = isEdited ? readContent(document) : before;
  if (!editor.isPerson) requireBlockersKept(before, content);
  const after: EditedTicket = {
    id: before.id,
    status: columns?.status === undefined ? before.status : requireStatus(columns.status),
    criteria: content.criteria,
    document,
    ...(records && { records }),
  };
  const kept = keepCriteria(before, after, editor);
  const result = { ...after, ...(kept && { records: kept }) };
  const mustProve = !editor.isPerson && after.status === "COMPLETE" && hasOtherTexts(before, after);
  return { ...result, unproven: mustProve && !isProven(result) };
}

function hasOtherTexts(before: EditedTicket, after: EditedTicket): boolean {
  const textsOf = ({ criteria }: EditedTicket) => criteria.map(sayCriterion);
  return !isDeepStrictEqual(textsOf(before), textsOf(after));
}

/**
 * The records after an edit: criteria that are removed or reworded, once a person has written or waived them or work has started, are
 * kept as such, and stay unproven until a person waives them. What a person changes on a terminal needs no such record, and counts as
 * agreed. Undefined if the records stay.
 */
function keepCriteria(
  before: EditedTicket,
  after: EditedTicket,
  { by, at, isPerson }: Editor,
): TicketRecords | undefined {
  const isStarted = hasStarted(before);
  const { dropped: already = [], ...others } = after.records ?? {};
  const agreed = isPerson && hasOtherTexts(before, after) ? recordAgreement(after.criteria) : undefined;
  const texts = new Map(after.criteria.map((criterion) => [criterion.id, sayCriterion(criterion)]));
  const known = new Map(already.map((one) => [one.criterion, one]));
  // A person who waived a criterion has agreed to its text.
  const isWaived = (id: string) => others.waivers?.some(({ criterion }) => criterion === id);
  const isMeasured = (id: string) => isStarted || others.agreed?.includes(id) || isWaived(id);
  const counts = ({ id }: { id: string }) => (isPerson ? known.has(id) : isMeasured(id));
  const changed = before.criteria.filter((one) => texts.get(one.id) !== sayCriterion(one)).filter(counts);
  const isBack = isStarted && !hasStarted(after);
  if (changed.length === 0 && !isBack && !agreed) return undefined;
  for (const { id, ...said } of changed) {
    const dropped: DroppedCriterion = { criterion: id, text: known.get(id)?.text ?? sayCriterion(said), by, at };
    if (isPerson) known.delete(id);
    else known.set(id, dropped);
  }
  if (known.size > limits.dropped) throw recordsFull(after.id, "removed or reworded criteria", limits.dropped);
  return {
    ...(isPerson
      ? withoutRecordsOf(others, (id) => before.criteria.some((one) => one.id === id) && !texts.has(id))
      : others),
    ...agreed,
    ...(known.size > 0 && { dropped: [...known.values()] }),
    ...(isBack && { hasStarted: true as const }),
  };
}

/** A criterion that a person removes takes its checks and waivers along: a later one could get its id, and must not get its proof. */
function withoutRecordsOf(records: TicketRecords, isRemoved: (criterion: string) => boolean): TicketRecords {
  const { checks, waivers, ...others } = records;
  const keep = <Item extends { criterion: string }>(items: Item[]) =>
    items.filter((item) => !isRemoved(item.criterion));
  return {
    ...others,
    ...(checks && { checks: keep(checks), lastCheck: lastCheckOf(records) }),
    ...(waivers && { waivers: keep(waivers) }),
  };
}

/** The records of a ticket that somebody writes. */
export function initialRecords(criteria: Ticket["criteria"], { isPerson }: Editor): TicketRecords | undefined {
  return isPerson && criteria.length > 0 ? recordAgreement(criteria) : undefined;
}

function recordAgreement(criteria: Ticket["criteria"]): Pick<TicketRecords, "agreed"> {
  return { agreed: criteria.map(({ id }) => id) };
}

/** Whether work on a ticket has started: from then on its criteria are what the work is measured by. */
function hasStarted({ status, document, records = {} }: EditedTicket): boolean {
  const { work, checks, verifications } = records;
  return (
    records.hasStarted === true ||
    records.base !== undefined ||
    startedStatuses.includes(status) ||
    document["executionBase"] !== undefined ||
    [work, checks, verifications].some((list) => list !== undefined && list.length > 0)
  );
}
