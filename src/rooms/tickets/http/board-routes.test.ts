import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { made, openTicketApp } from "../../../../test/harness/rooms/tickets/ticket-app.ts";

describeOnEngines("What the board asks for", (engine) => {
  const open = async () => openTicketApp(await engine.fresh());

  it("answers tickets by id as lists show them, archived ones too, and leaves out those that are not there", async () => {
    const app = await open();
    const [first, second, third] = [await made(app), await made(app), await made(app)];
    await app.request("DELETE", `/api/tickets/${second}`);
    const linked = { labels: ["web"], dependsOn: [third] };
    expect((await app.request("PATCH", `/api/tickets/${first}`, linked)).status).toBe(200);
    const { status, body } = await app.request("GET", `/api/tickets/summaries?ids=${first},${second},T-999,${first}`);
    expect(status).toBe(200);
    expect(body["tickets"]).toMatchObject([
      { id: first, ...linked },
      { id: second, status: "ARCHIVED" },
    ]);
    const { body: list } = await app.request("GET", "/api/tickets");
    expect(list["tickets"]).toMatchObject([{ id: third }, { id: first, ...linked }]);
    expect(JSON.stringify(body)).not.toContain("acceptanceCriteria");
  });

  it("refuses ids that are none, and more than a hundred", async () => {
    const app = await open();
    const many = Array.from({ length: 101 }, (_, index) => `T-${index}`).join(",");
    for (const ids of ["", "../x", "a b", many]) {
      expect((await app.request("GET", `/api/tickets/summaries?ids=${encodeURIComponent(ids)}`)).status, ids).toBe(400);
    }
  });

  it("shows a ticket in one shape, whichever its document has, with its history and revision", async () => {
    const app = await open();
    const legacy = { title: "Old form", techSpec: { problemStatement: "Slow", acceptanceCriteria: ["It is quick"] } };
    await app.request("POST", "/api/tickets/import", { tickets: [{ id: "T-700", ...legacy }] });
    const { body, headers } = await app.request("GET", "/api/tickets/T-700/view");
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toMatchObject({
      id: "T-700",
      problemStatement: "Slow",
      criteria: [{ id: "AC-1", text: "It is quick" }],
      history: [{ kind: "imported" }],
    });
    expect(body).not.toHaveProperty("techSpec");
  });
});
