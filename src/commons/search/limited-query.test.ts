import { sql } from "kysely";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { Migration } from "../../platform/db/types.ts";
import { createLimitedQuery } from "./limited-query.ts";

const folder = temporaryFolder();
const migrations: Migration[] = [
  {
    id: 1,
    name: "words",
    async up(db) {
      await sql`create virtual table found using fts5(words, content='', contentless_delete=1)`.execute(db);
    },
  },
];

const database = () => openDatabase<unknown>({ file: `${folder()}/forge.db` }, migrations);

test("a word is found whole only where too much begins with it, and counting ends there", async () => {
  const db = database();
  const many = Array.from({ length: 300 }, (_, index) => `w${index}`).join(" ");
  await db.transaction(async (tx) => {
    for (const [row, words] of [many, "zeta zebra", "zeta", "ςa σb"].entries())
      await sql`insert into found (rowid, words) values (${row}, ${words})`.execute(tx);
  });
  const query = (words: string[], limit: number) =>
    db.read((reads) => createLimitedQuery(reads, "found", words, limit));
  expect(await query(["w", "z"], 1_000)).toBe('"w"* "z"*');
  expect(await query(["w", "z"], 100)).toBe('"w" "z"*');
  // Each entry counts, not each word.
  expect(await query(["zet"], 2)).toBe('"zet"*');
  expect(await query(["zet"], 1)).toBe('"zet"');
  // What SQLite takes for another letter, or for none, is not found to be rare.
  expect(await query(["ς"], 1)).toBe('"ς"');
  expect(await query(["\u19b0w"], 1_000)).toBe('"\u19b0w"');
  await db.close();
});
