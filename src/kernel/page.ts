import { ForgeError } from "./errors.ts";

/** A part of a list. The cursor asks for the next part; absent on the last one. */
export type Page<Item> = { items: Item[]; nextCursor?: string };

/** The place in a list that a cursor refers to; undefined without a cursor, at the start. */
export function parseCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const place = /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (!Number.isSafeInteger(place)) throw invalidCursor();
  return place;
}

/** One page out of the rows of a query that asked for one more than `limit`. */
export function pageOf<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => number | string): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(rows.length > limit && last !== undefined && { nextCursor: String(placeOf(last)) }) };
}

export function invalidCursor(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The cursor is not valid.", {
    next: ["Pass the cursor of the previous page unchanged, or leave it out to start at the first page."],
  });
}
