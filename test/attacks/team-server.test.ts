import { expect, test } from "vitest";
import type { LedgerTables } from "../../src/commons/ledger/schema.ts";
import { temporaryFolder } from "../harness/db/store.ts";
import { openServerWithPeople, openTestServer } from "../harness/http/team-server.ts";

const folder = temporaryFolder();

test("K05 what another team does on the server removes nothing from a team's ledger", async () => {
  const place = { file: `${folder()}/forge.db` };
  const { request, token, database } = await openServerWithPeople(place);
  await request("POST", "/api/tickets", { token, body: { title: "A ticket" } });
  const ofOthers = {
    ...{ seq: 500_000, id: "other", at: Date.now(), kind: "route", name: "x", effect: "read", principal: "eve" },
    ...{ about: '["team:other"]', evidence: "[]", outcome: "ok", duration_ms: 0, written_at: Date.now() },
  };
  const tables = database.forTables<LedgerTables>();
  await tables.transaction((tx) => tx.insertInto("ledger_entry").values(ofOthers).execute());
  // A server looks for entries that are too many when it first uses its ledger, and does so before it stops.
  const later = await openTestServer(place);
  await later.request("GET", "/api/tickets", { token });
  await later.request("GET", "/api/activity", { token });
  await later.stop();
  const { entries } = (await (await request("GET", "/api/activity", { token })).json()) as { entries: object[] };
  expect(entries).toContainEqual(expect.objectContaining({ name: "POST /api/tickets" }));
});
