import { invalidId } from "./errors.ts";
import { idPattern } from "./limits.ts";

const local = /^t-0*(\d{1,9})$/i;
const minDigits = 3;

export function localId(number: number): string {
  return `T-${String(number).padStart(minDigits, "0")}`;
}

/** The number of a local id such as T-001; undefined for an id that a server gave. */
export function localNumber(id: string): number | undefined {
  const [, digits] = local.exec(id) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The canonical spelling of an id: `t-1` is `T-001`. Throws for what is not an id. */
export function requireId(id: string): string {
  if (!idPattern.test(id)) throw invalidId(id);
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
