import { describe, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { by, openTickets } from "../../../../test/harness/rooms/tickets/tickets.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Tickets } from "../service/tickets.ts";
import { type PushOptions, pushTickets } from "./push-tickets.ts";

const target = { server: "https://forge.example", team: "t-1" };

describeOnEngines("moving a project's tickets to a server", (engine) => {
  async function open() {
    const [here, there] = [openTickets(await engine.fresh()), openTickets(await engine.fresh())];
    const { tickets: local } = here;
    const { tickets: remote } = there;
    const push = (more: Partial<PushOptions> = {}) =>
      pushTickets({
        ...{ local, remote, by: by(), project: "p-1", target, signal: new AbortController().signal },
        report: () => undefined,
        ...more,
      });
    return { local, remote, push };
  }
  const titles = async (tickets: Tickets) => (await tickets.list({})).tickets.map(({ title }) => title).sort();

  it("keeps ids that are free, gives new ones for those that are taken, and takes nothing away", async () => {
    const { local, remote, push } = await open();
    await remote.create(by(), { title: "Already there" });
    for (const title of ["First", "Second"]) await local.create(by(), { title });
    const { moved } = await push();
    expect(moved).toEqual([
      { id: "T-001", newId: expect.stringMatching(/^T-\d+$/) },
      { id: "T-002", newId: "T-002" },
    ]);
    expect(moved[0]?.newId).not.toBe("T-001");
    expect(await titles(remote)).toEqual(["Already there", "First", "Second"]);
    expect(await titles(local)).toEqual(["First", "Second"]);
  });

  it("copies a ticket whose slug is taken there, under its id alone", async () => {
    const { local, remote, push } = await open();
    const acme = (id: string) => ({ document: { id, slug: "acme-12", title: id }, source: "x.json" });
    await remote.import(by(), [acme("T-009")], "refuse");
    await local.import(by(), [acme("T-001")], "refuse");
    expect(await push()).toMatchObject({ moved: [{ id: "T-001" }] });
    expect(await remote.get("acme-12")).toMatchObject({ id: "T-009" });
    const { slug: _, ...pushed } = await remote.get("T-001");
    expect(pushed).toMatchObject({ title: "T-001" });
    // Replacing and editing cannot take it either.
    await remote.import(by(), [acme("T-001")], "replace");
    expect(await remote.get("acme-12")).toMatchObject({ id: "T-009" });
    const { revision } = await remote.get("T-001");
    await expect(remote.replace(by(), "T-001", acme("T-001").document, revision)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      message: "The slug acme-12 belongs to T-009. Nothing was changed.",
    });
  });

  it("brings the whole ticket, wherever it stands", async () => {
    const { local, remote, push } = await open();
    const { id } = await local.create(by(), {
      title: "First",
      description: "All of it",
      priority: "high",
      acceptanceCriteria: ["It works"],
    });
    await local.move(by(), id, "READY");
    await local.create(by(), { title: "Put away" });
    await local.move(by(), "T-002", "ARCHIVED");
    await push();
    expect(await remote.get(id)).toMatchObject({ status: "READY", priority: "high", description: "All of it" });
    expect((await remote.get(id)).criteria.map(({ text }) => text)).toEqual(["It works"]);
    expect((await remote.get("T-002")).status).toBe("ARCHIVED");
    const before = await local.get(id);
    expect(before).toMatchObject({ status: "READY", foreign: false, description: "All of it" });
  });

  it("moves only what is new the second time, and all of it to another team", async () => {
    const { local, remote, push } = await open();
    for (const title of ["First", "Second"]) await local.create(by(), { title });
    await push();
    await local.create(by(), { title: "Third" });
    const again = await push();
    expect(again.moved.map(({ id }) => id)).toEqual(["T-003"]);
    expect(again.before.map(({ id }) => id)).toEqual(["T-001", "T-002"]);
    expect(await titles(remote)).toEqual(["First", "Second", "Third"]);
    const { tickets: other } = openTickets(await engine.fresh());
    expect((await push({ remote: other, target: { ...target, team: "t-2" } })).moved).toHaveLength(3);
  });

  it("cut off anywhere, it can be run again and moves none twice", async () => {
    const { local, remote, push } = await open();
    await remote.create(by(), { title: "Already there" });
    for (const title of ["First", "Second", "Third"]) await local.create(by(), { title });
    for (let notes = 0; notes < 3; notes++) {
      let left = notes === 0 ? 0 : 1;
      const cut = {
        list: local.list.bind(local),
        get: local.get.bind(local),
        replace: async (...given: Parameters<Tickets["replace"]>) => {
          if (left-- === 0) throw new ForgeError("STORE_ERROR", "The disk is full.");
          return local.replace(...given);
        },
      };
      await expect(push({ local: cut })).rejects.toThrow("The disk is full.");
    }
    await push();
    expect(await titles(remote)).toEqual(["Already there", "First", "Second", "Third"]);
  });

  it("finds what another run notes meanwhile, and what a person changes", async () => {
    const { local, remote, push } = await open();
    for (const title of ["First", "Second", "Third"]) await local.create(by(), { title });
    let isLate = true;
    const late = {
      list: remote.list.bind(remote),
      get: remote.get.bind(remote),
      import: async (...given: Parameters<Tickets["import"]>) => {
        const outcomes = await remote.import(...given);
        if (!isLate) return outcomes;
        isLate = false;
        await push();
        await local.update(by(), "T-003", { title: "Third, changed" });
        return outcomes;
      },
    };
    const { moved, before } = await push({ remote: late });
    expect([moved, before.map(({ id, newId }) => [id, newId])]).toEqual([
      [],
      [
        ["T-001", "T-001"],
        ["T-002", "T-002"],
        ["T-003", "T-003"],
      ],
    ]);
    expect(await titles(remote)).toEqual(["First", "Second", "Third"]);
  });

  it("notes where a ticket went in what a person makes of it meanwhile", async () => {
    const { local, remote, push } = await open();
    await local.create(by(), { title: "First" });
    const busy = {
      list: remote.list.bind(remote),
      get: remote.get.bind(remote),
      import: async (...given: Parameters<Tickets["import"]>) => {
        await local.update(by(), "T-001", { title: "First, changed" });
        return remote.import(...given);
      },
    };
    expect((await push({ remote: busy })).moved).toEqual([{ id: "T-001", newId: "T-001" }]);
    expect((await local.get("T-001")).title).toBe("First, changed");
    expect((await push()).before).toHaveLength(1);
  });

  it("takes a ticket of the same id from another project for another one", async () => {
    const { local, remote, push } = await open();
    await local.create(by(), { title: "Same title" });
    await push();
    const { tickets: other } = openTickets(await engine.fresh());
    await other.create(by(), { title: "Same title" });
    const { moved } = await push({ local: other });
    expect(moved[0]?.newId).not.toBe("T-001");
    expect(await titles(remote)).toEqual(["Same title", "Same title"]);
  });

  it("stops when told to, and says how far it came", async () => {
    const { local, remote, push } = await open();
    for (let number = 0; number < 30; number++) await local.create(by(), { title: `Ticket ${number}` });
    const stop = new AbortController();
    const cut = {
      list: remote.list.bind(remote),
      get: remote.get.bind(remote),
      import: (...given: Parameters<Tickets["import"]>) => {
        stop.abort();
        return remote.import(...given);
      },
    };
    await expect(push({ remote: cut, signal: stop.signal })).rejects.toMatchObject({
      code: "CANCELLED",
      message: expect.stringContaining("after 25 tickets"),
    });
    expect((await push()).moved).toHaveLength(5);
  });
});

describe("a project without tickets", () => {
  it("moves none", async () => {
    const none = {
      list: async () => ({ tickets: [] }),
      get: async () => Promise.reject(),
      replace: async () => Promise.reject(),
    };
    const remote = {
      list: none.list,
      get: none.get,
      import: async () => Promise.reject(new Error("asked for nothing")),
    };
    const given = { local: none, remote, by: by(), project: "p-1", target, signal: new AbortController().signal };
    expect(await pushTickets({ ...given, report: () => undefined })).toEqual({ moved: [], before: [] });
  });
});
