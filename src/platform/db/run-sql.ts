import { CompiledQuery, type Kysely } from "kysely";

/** What else a compiled query has. Nothing here looks at it, and to create it again would cost as much as a short query. */
const { query, queryId } = CompiledQuery.raw("");

/** Runs SQL written by hand. Queries that nearly every call runs are not to be built and compiled each time. */
export async function runSql<Row>(
  db: Pick<Kysely<unknown>, "getExecutor">,
  text: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return (await db.getExecutor().executeQuery<Row>({ sql: text, parameters, query, queryId })).rows;
}
