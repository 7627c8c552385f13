/** Databases accept only so many values in one query. */
const maxQueryValues = 5_000;
/** Rows of one insert statement. */
const maxInsertRows = 500;

export async function queryInChunks<Value, Row>(
  values: readonly Value[],
  ask: (some: readonly Value[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const some of splitIntoChunks(values, maxQueryValues)) for (const row of await ask(some)) found.push(row);
  return found;
}

export function* splitIntoChunks<Value>(values: readonly Value[], size = maxInsertRows): Generator<readonly Value[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
