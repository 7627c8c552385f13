import { beforeEach, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import {
  ada,
  bob,
  home,
  join,
  openAccess,
  type SignedInPerson,
  setUp,
  type TestClock,
} from "../../../../test/harness/rooms/access.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { Access } from "../service/access.ts";
import type { AccessTables } from "../store/schema.ts";
import { hashOf } from "./secrets.ts";

const elsewhere = { address: "198.51.100.7" };

describeOnEngines("device login", (engine) => {
  let place: Place;
  let access: Access;
  let clock: TestClock;
  let database: Database<AccessTables>;
  let admin: SignedInPerson;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access, clock, database } = openAccess(place));
    admin = await setUp(access);
  });

  const request = () => access.devices.request("forge on ada's laptop", home);
  const approve = (userCode: string) => access.devices.decide(admin.cookie, userCode, "approve", home);

  it("gives a pair for a person's word, to the team they joined first", async () => {
    const { deviceCode, userCode, expiresIn, interval } = await request();
    expect([expiresIn, interval]).toEqual([300, 5]);
    expect(await access.devices.findPending(userCode.toLowerCase(), admin.cookie)).toEqual({
      client: "forge on ada's laptop",
      address: "192.0.2.1",
      requestedAt: "2026-01-31T12:00:00.000Z",
      scopes: expect.arrayContaining(["tickets:write", "access:write"]),
    });
    await approve(userCode);
    expect(await access.devices.findPending(userCode, admin.cookie)).toBeUndefined();
    const pair = await access.devices.redeem(deviceCode, home);
    expect(pair).toMatchObject({
      accessToken: expect.stringMatching(/^fga_/),
      refreshToken: expect.stringMatching(/^fgr_/),
      expiresAt: "2026-01-31T12:15:00.000Z",
      user: { email: ada.email, displayName: "Ada" },
      team: { name: "Acme", slug: "acme" },
    });
  });

  it("K13: tells the poller exactly why not, and slows one that polls too fast", async () => {
    const { deviceCode, userCode } = await request();
    const poll = () => access.devices.redeem(deviceCode, home);
    expect(await poll()).toEqual({ refusal: "authorization_pending", interval: 5 });
    clock.pass(1);
    expect(await poll()).toEqual({ refusal: "slow_down", interval: 10 });
    clock.pass(5);
    expect(await poll()).toEqual({ refusal: "slow_down", interval: 15 });
    clock.pass(15);
    expect(await poll()).toEqual({ refusal: "authorization_pending", interval: 15 });
    await access.devices.decide(admin.cookie, userCode, "deny", home);
    expect(await poll()).toEqual({ refusal: "access_denied" });
    expect(await access.devices.redeem("f".repeat(32), home)).toEqual({ refusal: "invalid_device_code" });
    expect(await access.devices.redeem("' or 1=1 --\u0000", home)).toEqual({ refusal: "invalid_device_code" });
  });

  it("K13: codes end after five minutes, approved or not", async () => {
    const [waiting, approved] = [await request(), await request()];
    await approve(approved.userCode);
    clock.pass(300);
    for (const { deviceCode } of [waiting, approved]) {
      expect(await access.devices.redeem(deviceCode, home)).toEqual({ refusal: "expired_token" });
    }
    await expect(approve(waiting.userCode)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    clock.pass(3601);
    await request();
    expect(await access.devices.redeem(waiting.deviceCode, home)).toEqual({ refusal: "invalid_device_code" });
  });

  it("K14: 100 redemptions at once, by several servers, give one pair", async () => {
    const { deviceCode, userCode } = await request();
    await approve(userCode);
    const servers = [access, ...[1, 2, 3].map(() => openAccess(place, clock).access)];
    const answers = await Promise.all(
      servers.flatMap((server) => Array.from({ length: 25 }, () => server.devices.redeem(deviceCode, home))),
    );
    expect(answers.filter((answer) => "accessToken" in answer)).toHaveLength(1);
    expect(answers.filter((answer) => "refusal" in answer && answer.refusal === "expired_token")).toHaveLength(99);
    const grants = await database.read((db) => db.selectFrom("access_grant").select("id").execute());
    expect(grants).toHaveLength(2);
  });

  it("K14: a code that was decided cannot be decided again", async () => {
    const { deviceCode, userCode } = await request();
    const decisions = await Promise.allSettled(Array.from({ length: 4 }, () => approve(userCode)));
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(access.devices.decide(admin.cookie, userCode, "deny", elsewhere)).rejects.toMatchObject({
      code: "AUTH_FAILED",
      message: "This code was already used, has expired or is unknown.",
    });
    expect(await access.devices.redeem(deviceCode, home)).toHaveProperty("accessToken");
    expect(await access.devices.redeem(deviceCode, home)).toEqual({ refusal: "expired_token" });
  });

  it("K12: five wrong codes lock out who typed them for a quarter of an hour, and nobody else at that address", async () => {
    const other = await join(access, admin.by, bob, "member");
    for (let tries = 0; tries < 5; tries++)
      expect(await access.devices.findPending("AAAA-2222", admin.cookie)).toBeUndefined();
    const { userCode } = await request();
    const locked = { code: "AUTH_FAILED", details: { retryAfterSeconds: 900 } };
    await expect(access.devices.findPending(userCode, admin.cookie)).rejects.toMatchObject(locked);
    await expect(approve(userCode)).rejects.toMatchObject(locked);
    expect(await access.devices.findPending(userCode, other.cookie)).toBeDefined();
    clock.pass(900);
    const fresh = await request();
    expect(await access.devices.findPending(fresh.userCode, admin.cookie)).toBeDefined();
  });

  it("K12: five wrong codes of one person lock them out, from whatever address, after a restart too", async () => {
    for (let tries = 0; tries < 5; tries++) {
      const from = { address: `203.0.113.${tries}` };
      await expect(access.devices.decide(admin.cookie, "AAAA-2222", "approve", from)).rejects.toMatchObject({
        message: "This code was already used, has expired or is unknown.",
      });
    }
    const { userCode } = await request();
    const restarted = openAccess(place, clock).access;
    await expect(restarted.devices.decide(admin.cookie, userCode, "approve", elsewhere)).rejects.toMatchObject({
      message: expect.stringContaining("Too many"),
    });
  });

  it("K12: guesses at the same time are counted like those one after another", async () => {
    const guesses = await Promise.allSettled(
      Array.from({ length: 100 }, () => access.devices.findPending("AAAA-2222", admin.cookie)),
    );
    expect(guesses.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  it("needs somebody who is signed in, and still in the team when the device asks", async () => {
    const { deviceCode, userCode } = await request();
    for (const cookie of ["", "fgs_x", admin.pair.accessToken]) {
      await expect(access.devices.decide(cookie, userCode, "approve", home)).rejects.toMatchObject({
        code: "AUTH_REQUIRED",
      });
    }
    const member = await join(access, admin.by, bob, "member");
    await access.devices.decide(member.cookie, userCode, "approve", home);
    await access.members.remove(admin.by, member.by.user.id, home);
    expect(await access.devices.redeem(deviceCode, home)).toEqual({ refusal: "access_denied" });
    const next = await request();
    await expect(access.devices.decide(member.cookie, next.userCode, "approve", home)).rejects.toMatchObject({
      code: "AUTH_REQUIRED",
    });
  });

  it("K16: keeps neither code, and shows what the device calls itself as one line", async () => {
    const { deviceCode, userCode } = await access.devices.request(`evil\n\u0000${"x".repeat(500)}`, home);
    const rows = await database.read((db) => db.selectFrom("access_device").selectAll().execute());
    const text = JSON.stringify(rows);
    expect(text).toContain(hashOf(deviceCode));
    expect(text).not.toContain(deviceCode);
    expect(text).not.toContain(userCode);
    expect((await access.devices.findPending(userCode, admin.cookie))?.client).toMatch(/^evil\\n\\x00x{90,94}$/);
  });

  it("K35: only the server's clock counts, whichever way it moves", async () => {
    const { deviceCode, userCode } = await request();
    await access.devices.redeem(deviceCode, home);
    clock.pass(-600);
    expect(await access.devices.redeem(deviceCode, home)).toMatchObject({ refusal: "authorization_pending" });
    await approve(userCode);
    expect(await access.devices.redeem(deviceCode, home)).toHaveProperty("accessToken");
  });
});
