import { beforeEach, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { by, draft, one, openTickets, person, two } from "../../../../test/harness/rooms/tickets/tickets.ts";
import { localPrincipal } from "../../../kernel/principal.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { LocalTickets } from "./local-tickets.ts";

describeOnEngines("claims of tickets", (engine) => {
  let place: Place;
  let tickets: LocalTickets;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ tickets } = openTickets(place));
  });

  it("gives a ticket to exactly one of many who claim it", async () => {
    await tickets.create(by(), draft, { status: "READY" });
    const claims = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => {
        const principal = localPrincipal("ada", "claude-code", `${index}${index}${index}${index}-x`);
        return openTickets(place).tickets.claim(by(principal), "T-001", {});
      }),
    );
    const won = claims.filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(1);
    for (const claim of claims) {
      if (claim.status === "rejected") expect(claim.reason).toMatchObject({ code: "CONFLICT_ERROR" });
    }
    expect(await tickets.get("T-001")).toMatchObject({
      assignee: "ada",
      claim: { holder: expect.stringContaining("ada/claude-code#") },
    });
  });

  it("keeps others off a claimed ticket, a person excepted, until it is given back", async () => {
    await tickets.create(by(), draft, { status: "READY" });
    const { claim } = await tickets.claim(by(one), "T-001", { minutes: 5 });
    await expect(tickets.move(by(two), "T-001", "CREATED")).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      message: `T-001 is claimed by ${claim.holder} for another 5 minutes. Nothing was changed.`,
    });
    await expect(tickets.claim(by(two), "T-001", {})).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await tickets.move(by(one), "T-001", "CREATED");
    await tickets.update(by(person), "T-001", { priority: "low" });
    expect((await tickets.claim(by(one), "T-001", {})).claim.holder).toBe(claim.holder);
    await tickets.release(by(one), "T-001");
    await tickets.claim(by(two), "T-001", {});
    expect((await tickets.history("T-001")).map(({ kind }) => kind)).toEqual([
      "created",
      "claimed",
      "assigned",
      "status",
      "updated",
      "released",
      "claimed",
    ]);
  });

  it("knows a named worker on any connection, and asks for a name where there is none", async () => {
    await tickets.create(by(), draft);
    const stateless = localPrincipal("ada", "bot");
    await expect(tickets.claim(by(stateless), "T-001", {})).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "A claim on this connection needs the name of a worker.",
    });
    const { claim } = await tickets.claim(by(stateless), "T-001", { worker: "w:1#x" });
    // Others read it: a name that could say something is not shown.
    expect(claim.holder).toMatch(/^ada\/bot:worker-[0-9a-f]{12}$/);
    await tickets.move(by(stateless), "T-001", "READY");
    await expect(tickets.claim(by(stateless), "T-001", { worker: "w2" })).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
    });
    await expect(tickets.move(by(one), "T-001", "DRAFT")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  });

  it("gives a ticket to one worker of those that one assistant names", async () => {
    await tickets.create(by(), draft);
    const { claim } = await tickets.claim(by(one), "T-001", { worker: "w1" });
    for (const claiming of [{ worker: "w2" }, {}]) {
      await expect(tickets.claim(by(two), "T-001", claiming)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    }
    await expect(tickets.move(by(two), "T-001", "READY")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await tickets.move(by(one), "T-001", "READY");
    // The same worker on a new connection says its name again.
    const again = localPrincipal("ada", "claude-code", "cccccccc-3");
    expect((await tickets.claim(by(again), "T-001", { worker: "w1" })).claim.holder).toBe(claim.holder);
    await tickets.move(by(again), "T-001", "DRAFT");
  });

  it("ends a claim with the work, and claims nothing that is done", async () => {
    await tickets.create(by(), draft, { status: "READY" });
    await tickets.claim(by(one), "T-001", {});
    await tickets.move(by(one), "T-001", "CREATED");
    await tickets.complete(by(one), "T-001", { filesChanged: [] });
    expect(await tickets.get("T-001")).not.toHaveProperty("claim");
    await expect(tickets.claim(by(two), "T-001", {})).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("holds a ticket for a process until it stops", async () => {
    await tickets.create(by(), draft, { status: "READY" });
    const other = openTickets(place).tickets;
    await other.hold("T-001", localPrincipal("ada"));
    await other.move(by(two), "T-001", "CREATED");
    await expect(tickets.move(by(two), "T-001", "READY")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await expect(tickets.hold("T-001", one)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    // A server that is started anew waits for the one before to end.
    const waiting = tickets.hold("T-001", one);
    await other.stop();
    await waiting;
    await tickets.stop();
    await tickets.move(by(two), "T-001", "READY");
  });
});
