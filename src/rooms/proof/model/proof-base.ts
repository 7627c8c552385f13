import type { ProofTicket } from "./ports.ts";

/** The commit that proof is compared with: where work started first. Work that was cancelled changed nothing. */
export function proofBaseOf({ records, base }: Pick<ProofTicket, "records" | "base">): string | undefined {
  // A ticket that an earlier version started has no record of its own for it.
  return records.base ?? records.work?.find(({ status }) => status !== "cancelled")?.base ?? base;
}
