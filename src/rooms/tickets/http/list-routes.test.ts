import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { idsIn, made, openTicketApp } from "../../../../test/harness/rooms/tickets/ticket-app.ts";

describeOnEngines("Finding tickets over HTTP", (engine) => {
  const open = async () => openTicketApp(await engine.fresh());

  it("finds by each filter, and by several statuses in either spelling", async () => {
    const app = await open();
    const draft = await made(app, { title: "Green door", type: "bug", assignedTo: "me" });
    const ready = await made(app, { title: "Red door", status: "READY", priority: "high", assignedTo: "u-bob" });
    const valid = await made(app, { title: "Blue wall", status: "VALIDATED" });
    const list = async (query: string) => idsIn(await app.request("GET", `/api/tickets?${query}`));
    expect(await list("")).toEqual([valid, ready, draft]);
    expect(await list("all=true")).toEqual([valid, ready, draft]);
    expect(await list("status=READY,dev-refining")).toEqual([valid, ready]);
    expect(await list("status=READY&status=draft")).toEqual([ready, draft]);
    expect(await list("assignee=me")).toEqual([draft]);
    expect(await list("assignedToMe=true")).toEqual([draft]);
    expect(await list("assignee=u-bob")).toEqual([ready]);
    expect(await list("assignee=Bob")).toEqual([ready]);
    expect(await list("priority=high")).toEqual([ready]);
    expect(await list("type=bug")).toEqual([draft]);
    expect(await list("text=door")).toEqual([ready, draft]);
  });

  it("says what is next, however many others the tickets wait for", async () => {
    const app = await open();
    for (let index = 0; index < 4; index++) {
      const dependsOn = Array.from({ length: 9_500 }, (_, other) => `GONE-${index}-${other}`);
      const ticket = { id: `IMPORTED-${index}`, title: "Imported", status: "READY", dependsOn };
      expect(await app.request("POST", "/api/tickets/import", { tickets: [ticket] })).toMatchObject({ status: 200 });
    }
    expect(idsIn(await app.request("GET", "/api/tickets/next"))).toEqual(
      [0, 1, 2, 3].map((index) => `IMPORTED-${index}`),
    );
  });

  it("pages to the end without a gap, and no cursor leads elsewhere (K25)", async () => {
    const app = await open();
    const own: string[] = [];
    for (let index = 0; index < 5; index++) {
      own.unshift(await made(app));
      await made(app, {}, "two");
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await app.request("GET", `/api/tickets?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsIn(page));
      cursor = String(page.body["nextCursor"] ?? "");
      // It tells nothing of other teams: not a place in the table that all of them share.
      expect(cursor === "" || own.includes(cursor), cursor).toBe(true);
    } while (cursor !== "");
    expect(seen).toEqual(own);
    for (const garbled of [
      "0",
      "3",
      "999999999999999",
      "T-999",
      "-1",
      "1.5",
      "1e3",
      "abc",
      "1;drop table ticket",
      "9".repeat(16),
      "",
    ]) {
      const page = await app.request("GET", `/api/tickets?cursor=${encodeURIComponent(garbled)}`);
      expect([page.status, page.body["code"]], garbled).toEqual([400, "VALIDATION_ERROR"]);
    }
    for (const query of ["limit=0", "limit=201", "limit=two", "sort=title", "limit=1&limit=2"])
      expect((await app.request("GET", `/api/tickets?${query}`)).status, query).toBe(400);
  });

  it("takes what a filter says as text, whatever it looks like (K32)", async () => {
    const app = await open();
    await made(app, { title: "Ordinary", assignee: "Ada" });
    await made(app, { title: "Hidden", assignee: "Ada" }, "two");
    const filters = ["status", "assignee", "assignedToMe", "priority", "type", "text", "limit", "cursor", "all"];
    const hostile = [
      "' OR 1=1 --",
      '" OR ""="',
      "'; drop table ticket; --",
      "%",
      "_",
      "*",
      "Ada%",
      '{"$gt":""}',
      "ordinary OR hidden",
      "NEAR(a b)",
      "words:ordinary",
      "a & !b | c:*",
      "\\",
      "\u0000",
      "title') UNION SELECT * FROM ticket --",
    ];
    for (const filter of filters) {
      for (const text of hostile) {
        const answer = await app.request("GET", `/api/tickets?${filter}=${encodeURIComponent(text)}`);
        expect([200, 400], `${filter}=${text}`).toContain(answer.status);
        expect(answer.text).not.toContain("Hidden");
        if (answer.status === 200 && filter !== "text") expect(idsIn(answer), `${filter}=${text}`).toEqual([]);
      }
      const operator = await app.request("GET", `/api/tickets?${filter}[$gt]=`);
      expect(operator.status).toBe(400);
    }
    expect(idsIn(await app.request("GET", "/api/tickets"))).toEqual(["T-001"]);
    expect(app.failures).toEqual([]);
  });

  it("answers any text in any filter without failing inside (K32)", async () => {
    const app = await open();
    await made(app);
    const filter = fc.constantFrom("status", "assignee", "priority", "type", "text", "limit", "cursor");
    await fc.assert(
      fc.asyncProperty(filter, fc.string({ unit: "grapheme", maxLength: 60 }), async (name, text) => {
        const { status } = await app.request("GET", `/api/tickets?${name}=${encodeURIComponent(text)}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
    expect(app.failures).toEqual([]);
  });
});
