import { CompiledQuery, type Kysely } from "kysely";

/** Runs SQL written by hand. Queries that nearly every call runs are not to be built and compiled each time. */
export async function runSql<Row>(
  db: Pick<Kysely<unknown>, "getExecutor">,
  text: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...parameters]) as CompiledQuery<Row>;
  return (await db.getExecutor().executeQuery<Row>(query)).rows;
}
