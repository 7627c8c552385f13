/** Databases take only so many values with one question. */
const mostAsked = 5_000;
/** Rows that are put in with one statement. */
const mostPut = 500;

export async function inChunks<Value, Row>(
  values: readonly Value[],
  ask: (some: readonly Value[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const some of chunksOf(values, mostAsked)) for (const row of await ask(some)) found.push(row);
  return found;
}

export function* chunksOf<Value>(values: readonly Value[], size = mostPut): Generator<readonly Value[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
