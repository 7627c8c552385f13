import type { ScanRows } from "./memory-scan.ts";
import { packVector } from "./packed-vector.ts";
import { packTerms } from "./terms.ts";

type PlainRow = { seq: number; type: string; agent: string; text: string; vector: Float32Array | undefined };

/** Texts that are not stored, as the store would have them. */
export function packRows(rows: readonly PlainRow[]): ScanRows {
  const vectors = rows.map(({ vector }) => (vector ? packVector(vector) : new Uint8Array()));
  const terms = rows.map(({ text }) => packTerms(text));
  return {
    seqs: rows.map(({ seq }) => seq),
    types: rows.map(({ type }) => type),
    agents: rows.map(({ agent }) => agent),
    vectorSizes: vectors.map(({ length }) => length),
    vectors: Buffer.concat(vectors),
    termSizes: terms.map(({ length }) => length),
    terms: Buffer.concat(terms),
  };
}
