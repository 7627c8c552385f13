import { isRecord } from "../../../kernel/json.ts";
import type { Ticket, TicketDocument, WorkBase } from "./ticket.ts";

/** What a history shows of it. */
export function positionOf({ changedBefore: _, ...position }: WorkBase = {}): WorkBase {
  return position;
}

/** Where work on a ticket started, if it was started through Forge. */
export function workBaseOf({ document: { executionBase } }: Ticket): WorkBase {
  if (!isRecord(executionBase)) return {};
  const { branch, commit, changedBefore } = executionBase;
  return {
    ...(typeof branch === "string" && { branch }),
    ...(typeof commit === "string" && { commit }),
    ...(Array.isArray(changedBefore) && { changedBefore: changedBefore.filter((mark) => typeof mark === "string") }),
  };
}

/** Where work started is Forge's own record, which proof is compared with. A document that someone wrote does not change it. */
export function keepWorkBase(
  { executionBase: _, ...written }: TicketDocument,
  { executionBase }: TicketDocument,
): TicketDocument {
  return executionBase === undefined ? written : { ...written, executionBase };
}
