import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../../../test/harness/db/all-migrations.ts";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { openServerWithPeople, openTestServer } from "../../../../test/harness/http/team-server.ts";
import { OnceKeys } from "../../../commons/ledger/once.ts";
import type { LedgerTables } from "../../../commons/ledger/schema.ts";
import type { ForgeError } from "../../../kernel/errors.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { openDatabase } from "../../../platform/db/database.ts";
import { refusalReply } from "../reply/reply.ts";
import { wordForHttp } from "../reply/wording.ts";
import { Idempotency } from "./idempotency.ts";

type Server = Awaited<ReturnType<typeof openServerWithPeople>>;

const draft = { title: "Add logout" };

async function ticketsOf({ request, token }: Pick<Server, "request" | "token">): Promise<number> {
  const page = (await (await request("GET", "/api/tickets", { token })).json()) as { tickets: unknown[] };
  return page.tickets.length;
}

describeOnEngines("a request with an Idempotency-Key", (engine) => {
  const key = { "idempotency-key": "3f0c" };
  const open = async () => openServerWithPeople(await engine.fresh());

  test("that is repeated is one change, with the first one's answer", async () => {
    const server = await open();
    const { request, token } = server;
    const first = await request("POST", "/api/tickets", { token, body: draft, headers: key });
    const again = await request("POST", "/api/tickets", { token, body: draft, headers: key });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    expect([first, again].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await ticketsOf(server)).toBe(1);
  });

  test("that comes twenty times at once is one change, and all get the same answer", async () => {
    const server = await open();
    const { request, token } = server;
    const sent = Array.from({ length: 20 }, () =>
      request("POST", "/api/tickets", { token, body: draft, headers: key }),
    );
    const answers = await Promise.all((await Promise.all(sent)).map((response) => response.text()));
    expect(new Set(answers).size).toBe(1);
    expect(await ticketsOf(server)).toBe(1);
  });

  test("that comes to two servers on one store at once is one change, and both give the same answer", async () => {
    const place = await engine.fresh();
    const one = await openServerWithPeople(place);
    const other = await openTestServer(place);
    const { token } = one;
    for (let round = 1; round <= 10; round++) {
      const headers = { "idempotency-key": `round-${round}` };
      const sent = [one, other].map(({ request }) => request("POST", "/api/tickets", { token, body: draft, headers }));
      const [a, b] = await Promise.all((await Promise.all(sent)).map((response) => response.text()));
      expect(a).toBe(b);
      expect(await ticketsOf(one)).toBe(round);
    }
  });

  test("with another body or revision under the same key is refused", async () => {
    const server = await open();
    const { request, token } = server;
    await request("POST", "/api/tickets", { token, body: draft, headers: key });
    const others = [
      { body: { title: "Something else" }, headers: key },
      { body: draft, headers: { ...key, "if-match": '"1"' } },
    ];
    for (const sent of others) {
      const response = await request("POST", "/api/tickets", { token, ...sent });
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining("another request") });
    }
    expect(await ticketsOf(server)).toBe(1);
  });

  test("is another one for another person, path or method", async () => {
    const server = await open();
    const { request, token } = server;
    await request("POST", "/api/tickets", { token, body: draft, headers: key });
    const moved = await request("PATCH", "/api/tickets/T-001", { token, body: { title: "Other" }, headers: key });
    expect([moved.status, moved.headers.get("idempotency-replayed")]).toEqual([200, null]);
    const viewer = await request("POST", "/api/tickets", { token: server.viewerToken, body: draft, headers: key });
    expect(viewer.status).toBe(403);
  });

  test("that was refused may be tried again with the same key", async () => {
    const { request, token } = await open();
    const refused = await request("PATCH", "/api/tickets/T-001", { token, body: { title: "Now" }, headers: key });
    expect(refused.status).toBe(404);
    await request("POST", "/api/tickets", { token, body: draft });
    const made = await request("PATCH", "/api/tickets/T-001", { token, body: { title: "Now" }, headers: key });
    expect([made.status, made.headers.get("idempotency-replayed")]).toEqual([200, null]);
  });

  test("whose answer holds a secret is made once, and the secret kept nowhere", async () => {
    const { request, token, access, ada, database } = await open();
    const body = { name: "CI", scopes: ["tickets:read"], days: 1 };
    const first = await request("POST", "/api/tokens", { token, body, headers: key });
    const { secret } = (await first.json()) as { secret: string };
    expect(first.status).toBe(201);
    const again = await request("POST", "/api/tokens", { token, body, headers: key });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ details: { done: true } });
    expect((await access.tokens.list(ada.by)).filter(({ name }) => name === "CI")).toHaveLength(1);
    const kept = await database
      .forTables<{ ledger_once: { answer: string | null } }>()
      .read((db) => db.selectFrom("ledger_once").select("answer").execute());
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  test("that comes a hundred times at once waits for the one before it, and not for each of the others", async () => {
    const database = openDatabase<LedgerTables>(await engine.fresh(), migrations);
    onTestFinished(() => database.close());
    const keys = new OnceKeys(database, Date.now);
    const idempotency = new Idempotency(keys, () => undefined);
    let confirmed = 0;
    const work = {
      perform: async () => ({ status: 200 as const, headers: {}, text: "done" }),
      confirm: async () => void confirmed++,
      fail: (error: ForgeError) => refusalReply(error, new Redactor(), wordForHttp([])),
    };
    const asked = { key: "k", request: "r", id: "c", secret: false };
    const replies = await Promise.all(Array.from({ length: 100 }, () => idempotency.answer(asked, work)));
    expect(replies.every(({ text }) => text === "done")).toBe(true);
    expect(confirmed).toBe(99);
  });

  test("that failed after its change is told that it was made, and not to try again", async () => {
    const database = openDatabase<LedgerTables>(await engine.fresh(), migrations);
    onTestFinished(() => database.close());
    const keys = new OnceKeys(database, Date.now);
    const idempotency = new Idempotency(keys, () => undefined);
    const asked = { key: "k", request: "r", id: "c", secret: false };
    const fail = (error: ForgeError) => refusalReply(error, new Redactor(), wordForHttp([]));
    const first = await idempotency.answer(asked, {
      async perform(once) {
        await database.transaction((tx) => keys.take(tx, once, "c"));
        once.state = "kept";
        return { status: 503, headers: {}, text: "cut off" };
      },
      confirm: async () => undefined,
      fail,
    });
    const again = await idempotency.answer(asked, {
      perform: () => Promise.reject(new Error("done twice")),
      confirm: async () => undefined,
      fail,
    });
    expect([first.status, again.status]).toEqual([503, 409]);
    expect(JSON.parse(again.text ?? "")).toMatchObject({ details: { done: true } });
  });

  test("whose answer was lost with its process is told that it was made, and of what", async () => {
    const server = await open();
    const { request, token, database } = server;
    await request("POST", "/api/tickets", { token, body: draft, headers: key });
    const once = database.forTables<{ ledger_once: { answer: string | null } }>();
    await once.transaction((tx) => tx.updateTable("ledger_once").set({ answer: null }).execute());
    const again = await request("POST", "/api/tickets", { token, body: draft, headers: key });
    expect(again.status).toBe(409);
    const { details } = (await again.json()) as { details: { done: boolean; about: string[] } };
    expect(details.done).toBe(true);
    expect(details.about).toContain("ticket:T-001");
    expect(await ticketsOf(server)).toBe(1);
  });

  test("is forgotten after a day", async () => {
    const server = await open();
    const { request, token, database } = server;
    await request("POST", "/api/tickets", { token, body: draft, headers: key });
    const once = database.forTables<{ ledger_once: { at: number } }>();
    const yesterday = Date.now() - 24 * 3_600_000 - 1;
    await once.transaction((tx) => tx.updateTable("ledger_once").set({ at: yesterday }).execute());
    const again = await request("POST", "/api/tickets", { token, body: draft, headers: key });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, null]);
    expect(await ticketsOf(server)).toBe(2);
  });

  test.each(["", " ", "ä", "x".repeat(201)])("that is %j is refused", async (value) => {
    const { request, token } = await open();
    const headers = { "idempotency-key": value };
    const response = await request("POST", "/api/tickets", { token, body: draft, headers });
    expect(response.status).toBe(400);
  });
});
