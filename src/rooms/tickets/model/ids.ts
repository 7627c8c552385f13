import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/visible.ts";
import { idPattern } from "./limits.ts";

const local = /^t-0*(\d{1,9})$/i;
const fewestDigits = 3;

export function localId(number: number): string {
  return `T-${String(number).padStart(fewestDigits, "0")}`;
}

/** The number of an id of ours, or undefined for a server's. */
export function localNumber(id: string): number | undefined {
  const [, digits] = local.exec(id) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The one spelling of an id: `t-1` is `T-001`. A path, a URL or a query is none, wherever it comes from. */
export function requireId(id: string): string {
  if (!idPattern.test(id)) {
    throw new ForgeError("VALIDATION_ERROR", `"${visible(id.slice(0, 64))}" is no ticket id.`, {
      next: ["Give an id like T-001: letters, digits, _ and - only. `forge list` shows the ids there are."],
    });
  }
  return canonicalId(id);
}

export function canonicalId(id: string): string {
  const number = localNumber(id);
  return number === undefined ? id : localId(number);
}

/** What a call on one ticket is about, for the ledger. */
export function aboutTicket({ ticketId }: { ticketId: string }): string[] {
  return [`ticket:${canonicalId(ticketId)}`];
}
