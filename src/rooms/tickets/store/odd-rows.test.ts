import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrations } from "../../../../test/harness/db/all-migrations.ts";
import { temporaryFolder } from "../../../../test/harness/db/store.ts";
import { by, openTickets } from "../../../../test/harness/rooms/tickets/tickets.ts";
import { openDatabase } from "../../../platform/db/database.ts";
import { pageFromServer } from "../remote/mappers.ts";

const folder = temporaryFolder();

/** As another program with the file open would write. */
async function runSql(place: { file: string }, text: string): Promise<void> {
  const database = openDatabase<unknown>(place, migrations);
  await database.transaction((tx) => sql.raw(text).execute(tx));
  await database.close();
}

test("a row of a wrong type does not hide the others", async () => {
  const place = { file: `${folder()}/.forge/forge.db` };
  const { tickets } = openTickets(place);
  for (const title of ["One", "Two", "Three"]) await tickets.create(by(), { title });
  await runSql(place, "update ticket set title = 5, created_at = 'yesterday', revision = 'x' where id = 'T-002'");
  await runSql(place, "update ticket set title = x'4f6464', updated_at = x'00' where id = 'T-003'");
  await runSql(place, "update ticket_event set details = 'no json', at = 'never'");
  const { tickets: found } = await openTickets(place).tickets.list({});
  expect(found.map(({ id, title }) => [id, title])).toEqual([
    ["T-003", "Odd"],
    ["T-002", "5"],
    ["T-001", "One"],
  ]);
  expect(await tickets.history("T-001")).toMatchObject([{ kind: "created", details: {} }]);
});

test("nor does one in a server's list", () => {
  const good = { id: "T-001", title: "One", status: "READY", revision: 1 };
  expect(pageFromServer({ tickets: [good, 5, { id: 7 }, null] })).toMatchObject({
    tickets: [{ id: "T-001" }],
    incomplete: true,
  });
});
