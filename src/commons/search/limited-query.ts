import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";

/** How much of an index a search in SQLite goes through for the beginnings of its words: some hundredths of a second. */
const maxEntries = 100_000;
const maxAtOnce = 4_096;

/** SQLite's own words differ from ours here: it takes the one for the other, or for no letter. */
const finalSigma = /ς/g;
const noLetters = /[\u19b0-\u19c9\u1cf2\u1cf3]/;

/**
 * Every word, each as the beginning of one. SQLite reads all that begins with a word before it gives the first answer, and nobody
 * else is heard meanwhile. So where too much does, as somebody can write millions of words, the word is found whole only.
 * `index` is of full-text search.
 */
export async function createLimitedQuery(
  db: QueryExecutorProvider,
  index: string,
  words: readonly string[],
  limit = maxEntries,
): Promise<string> {
  const parts: string[] = [];
  let left = limit;
  for (const word of words) {
    const entries = noLetters.test(word) ? Number.POSITIVE_INFINITY : await countEntries(db, index, word, left);
    const isFew = entries <= left;
    parts.push(isFew ? `"${word}"*` : `"${word}"`);
    // What was only counted took time too.
    left = isFew ? left - entries : left / 2;
  }
  return parts.join(" ");
}

/** How often words with this beginning are in the index; counted until it is too often. */
async function countEntries(db: QueryExecutorProvider, index: string, word: string, limit: number): Promise<number> {
  type Part = { last: string | null; found: number; entries: number | null };
  const terms = sql.table(`temp.${index}_terms`);
  const start = word.replace(finalSigma, "σ");
  const end = `${start}\u{10ffff}`;
  let entries = 0;
  let after: string | null = null;
  for (let most = 32; entries <= limit; most = Math.min(2 * most, maxAtOnce)) {
    const from: RawBuilder<unknown> = after === null ? sql`term >= ${start}` : sql`term > ${after}`;
    const part: Part | undefined = (
      await sql<Part>`
      select max(term) as last, count(*) as found, sum(doc) as entries
      from (select term, doc from ${terms} where ${from} and term < ${end} limit ${most})`.execute(db)
    ).rows[0];
    if (!part) break;
    entries += part.entries ?? 0;
    after = part.last;
    if (part.found < most) break;
  }
  return entries;
}
