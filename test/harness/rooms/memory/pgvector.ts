import { createServer } from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";

/** What an administrator of the database would type. */
export async function queryPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** The address of something that accepts connections and says nothing. */
export async function startSilentPostgres(): Promise<string> {
  const silent = createServer();
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  onTestFinished(() => void silent.close());
  const address = silent.address();
  return `postgres://forge:pw@127.0.0.1:${typeof address === "object" ? address?.port : 0}/postgres`;
}
