import type { MemoryRow } from "../store/memory-store.ts";
import { isNearDuplicate, type MemoryScan } from "./memory-scan.ts";
import { unpackVector } from "./packed-vector.ts";
import { unpackTerms } from "./terms.ts";

/** Text that was recalled and is stored again must not look like a second source. */
export function isDerived(scan: MemoryScan, row: Pick<MemoryRow, "terms" | "vector">): boolean {
  const vector = row.vector ? unpackVector(row.vector) : undefined;
  if (!vector) return false;
  const [closest] = scan.search({ vector, terms: [], type: undefined, agent: undefined }, 1);
  const known = closest && scan.termsOf(closest.seq);
  return known !== undefined && isNearDuplicate(closest?.cosine ?? 0, unpackTerms(row.terms), known);
}
