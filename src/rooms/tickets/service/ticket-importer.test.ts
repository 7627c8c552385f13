import { beforeEach, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { by, draft, file, one, openTickets, two } from "../../../../test/harness/rooms/tickets/tickets.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { LocalTickets } from "./local-tickets.ts";

describeOnEngines("tickets that are brought in", (engine) => {
  let place: Place;
  let tickets: LocalTickets;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ tickets } = openTickets(place));
  });

  it("brings tickets in whole, from any generation, all or none", async () => {
    const server = {
      id: "aec_1",
      slug: "acme-12",
      title: "Imported",
      status: "approved",
      techSpec: { odd: [1, { a: null }] },
      extra: "kept",
    };
    expect(await tickets.import(by(), [file(server), file({ id: "T-007", title: "Seven" })], "refuse")).toEqual([
      { id: "aec_1", outcome: "added" },
      { id: "T-007", outcome: "added" },
    ]);
    expect(await tickets.get("acme-12")).toMatchObject({
      id: "aec_1",
      status: "READY",
      foreign: true,
      document: { techSpec: { odd: [1, { a: null }] }, extra: "kept" },
    });
    expect((await tickets.create(by(), { title: "After seven" })).id).toBe("T-008");
    await expect(tickets.import(by(), [file({ title: "New" }), file(server)], "refuse")).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
    });
    await expect(
      tickets.import(by(), [file({ title: "New" }), file({ status: "ready" })], "refuse"),
    ).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "tickets.json: a ticket has no title. None of its tickets was imported.",
    });
    expect((await tickets.list({ text: "New" })).tickets).toEqual([]);
    expect(await tickets.import(by(), [file(server)], "replace")).toEqual([{ id: "aec_1", outcome: "unchanged" }]);
    expect(await tickets.import(by(), [file({ ...server, title: "Renamed" })], "skip")).toEqual([
      { id: "aec_1", outcome: "skipped" },
    ]);
    expect(await tickets.import(by(), [file({ ...server, title: "Renamed" })], "replace")).toEqual([
      { id: "aec_1", outcome: "replaced" },
    ]);
    expect((await tickets.history("aec_1"))[1]?.details).toMatchObject({
      replaced: { title: "Imported", extra: "kept" },
    });
    const [copy] = await tickets.import(by(), [file(server)], "new-id");
    expect(copy).toMatchObject({ outcome: "added", was: "aec_1", id: expect.stringMatching(/^T-0/) });
  });

  it("replaces by import only along the table, past nobody's claim, and says what it did", async () => {
    await tickets.create(by(), { ...draft, assignee: "bob" }, { status: "READY" });
    const newer = { id: "T-001", title: "Newer" };
    await expect(tickets.import(by(), [file({ ...newer, status: "complete" })], "replace")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { from: "READY", to: "COMPLETE" },
    });
    await tickets.claim(by(one), "T-001", {});
    await expect(tickets.import(by(two), [file(newer)], "replace")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await tickets.import(by(one), [file({ ...newer, status: "executing" })], "replace");
    expect(await tickets.get("T-001")).toMatchObject({
      title: "Newer",
      status: "CREATED",
      assignee: "bob",
      foreign: true,
    });
    const delivered = file({ ...newer, status: "delivered" });
    // What the policy for proof says is asked before; without its answer nothing is completed.
    await expect(tickets.import(by(one), [delivered], "replace")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await tickets.import(by(one), [{ ...delivered, proof: "unproven" }], "replace");
    expect(await tickets.get("T-001")).not.toHaveProperty("claim");
    expect((await tickets.history("T-001")).map(({ kind }) => kind)).toEqual([
      "created",
      "claimed",
      "imported",
      "status",
      "imported",
      "status",
    ]);
  });

  it("keeps what only the server sets, and says what the file claimed", async () => {
    const claimed = {
      author: "Ada Admin",
      createdAt: "2001-02-03T04:05:06.000Z",
      updatedAt: "2002-02-03T04:05:06.000Z",
    };
    const forged = {
      ...{ id: "T-009", title: "Forged", status: "ready", createdBy: claimed.author },
      ...{ createdAt: claimed.createdAt, updatedAt: claimed.updatedAt, updatedBy: "Ada Admin" },
      ...{ revision: 99, foreign: false, authorship: "tracked", soleAuthor: one.id },
      ...{ claim: { holder: "Ada Admin", until: "2100-01-01T00:00:00.000Z" }, history: [{ by: "Ada Admin" }] },
      // Proof is compared with the commit where work started: the author of the file would choose it.
      executionBase: { branch: "main", commit: "f".repeat(40) },
    };
    await tickets.import(by(one), [file(forged)], "refuse");
    const added = await tickets.get("T-009");
    expect(added.document).not.toHaveProperty("executionBase");
    expect(added).toMatchObject({ revision: 1, createdBy: one.name, updatedBy: one.name, foreign: true });
    expect(added).not.toHaveProperty("claim");
    expect(added).not.toHaveProperty("soleAuthor");
    expect(added.imported).toEqual(claimed);
    for (const date of [added.createdAt, added.updatedAt]) expect(date > "2020").toBe(true);
    expect((await tickets.history("T-009")).map(({ kind, by: who }) => [kind, who])).toEqual([["imported", one.name]]);
    expect(await tickets.import(by(two), [file(forged)], "replace")).toEqual([{ id: "T-009", outcome: "unchanged" }]);
    await tickets.import(by(two), [file({ ...forged, title: "Again", createdBy: "Bo Boss" })], "replace");
    const replaced = await tickets.get("T-009");
    expect(replaced).toMatchObject({ revision: 2, createdBy: one.name, updatedBy: two.name, foreign: true });
    expect(replaced).toMatchObject({ createdAt: added.createdAt, imported: { ...claimed, author: "Bo Boss" } });
    expect(replaced).not.toHaveProperty("claim");
    const base = { branch: "main", commit: "a".repeat(40) };
    await tickets.start(by(two), "T-009", base);
    await tickets.import(by(two), [file({ ...forged, title: "Once more" })], "replace");
    await tickets.import(by(two), [file({ id: "T-009", title: "Without" })], "replace");
    expect((await tickets.get("T-009")).document["executionBase"]).toEqual(base);
    const { revision } = await tickets.get("T-009");
    await tickets.replace(by(two), "T-009", { title: "Edited", executionBase: forged.executionBase }, revision);
    expect(await tickets.get("T-009")).toMatchObject({ title: "Edited", document: { executionBase: base } });
  });

  it("refuses to guess an id or a status, and does not run ahead with a number from far away", async () => {
    for (const bad of [{ id: "../../x" }, { id: "https://e.org/T-1" }, { status: "WAT" }]) {
      await expect(tickets.import(by(), [file({ title: "Bad", ...bad })], "refuse")).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining("tickets.json"),
      });
    }
    await tickets.import(
      by(),
      [file({ id: "T-999999", title: "Far" }), file({ id: "T-002", title: "Near" })],
      "refuse",
    );
    const made = [await tickets.create(by(), draft), await tickets.create(by(), draft)];
    expect(made.map(({ id }) => id)).toEqual(["T-003", "T-004"]);
  });

  it("lets an archived ticket that came without its former status out again, also after an edit", async () => {
    await tickets.import(by(), [file({ id: "acme-12", title: "Old", status: "archived" })], "refuse");
    await tickets.replace(by(), "acme-12", { title: "Older", status: "ARCHIVED" }, 1);
    expect(await tickets.move(by(), "acme-12", "DRAFT")).toMatchObject({ moved: true, ticket: { status: "DRAFT" } });
  });
});
