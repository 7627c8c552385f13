import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import {
  ada,
  bob,
  home,
  join,
  login,
  openAccess,
  type SignedInPerson,
  setUp,
  type TestClock,
} from "../../../../test/harness/rooms/access.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { AccessTables } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { Access } from "./access.ts";

describeOnEngines("the audit record", (engine) => {
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

  const actions = async () => (await access.audit.list(admin.by, 1000)).entries.map(({ action }) => action);

  it("K30: tells sign-ins and changes: who, what, when and from where", async () => {
    const member = await join(access, admin.by, bob, "member");
    await access.members.setRole(admin.by, member.by.user.id, "viewer", home);
    const token = await access.tokens.create(member.by, { name: "CI", scopes: ["tickets:read"], days: 1 }, home);
    await access.tokens.revoke(member.by, token.id, home);
    await access.projects.add(admin.by, "Web", home);
    await access.tokens.end(member.pair.accessToken, home);
    await access.members.remove(admin.by, member.by.user.id, home);
    await expect(access.signIn.withPassword(ada.email, "wrong password", home)).rejects.toThrow();
    expect(await actions()).toEqual([
      "setup",
      ...["sign-in", "device.approved", "device.signed-in"],
      ...["invitation.created", "invitation.accepted", "sign-in", "device.approved", "device.signed-in"],
      ...["member.role", "token.created", "token.revoked", "project.added", "token.ended", "member.removed"],
      "sign-in.failed",
    ]);
    const { entries, intact } = await access.audit.list(admin.by, 7);
    expect(intact).toBe(true);
    expect(entries).toHaveLength(7);
    expect(entries[0]).toEqual({
      seq: 10,
      at: "2026-01-31T12:00:00.000Z",
      actor: ada.email,
      action: "member.role",
      target: member.by.user.id,
      details: { before: "member", after: "viewer", token: admin.by.tokenId, address: "192.0.2.1", agent: "Firefox" },
    });
  });

  it("K30: tells when an account is locked, and keeps attempts on unknown ones apart from the teams", async () => {
    for (let tries = 0; tries < 6; tries++) {
      await expect(access.signIn.withPassword(ada.email, "wrong password", home)).rejects.toThrow();
    }
    expect((await actions()).slice(-2)).toEqual(["sign-in.failed", "sign-in.locked"]);
    const count = (await actions()).length;
    await expect(access.signIn.withPassword("nobody@example.com", "wrong password", home)).rejects.toThrow();
    await expect(access.signIn.withPassword("my secret passphrase", "wrong password", home)).rejects.toThrow();
    expect(await actions()).toHaveLength(count);
    const rows = await database.read((db) =>
      db.selectFrom("access_audit").select(["actor", "action"]).where("book", "=", "").orderBy("seq").execute(),
    );
    expect(rows.map(({ actor }) => actor)).toEqual(["nobody@example.com", ""]);
  });

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ["an entry edited", (tx) => tx.updateTable("access_audit").set({ actor: "eve" }).where("seq", "=", 2).execute()],
    ["a time edited", (tx) => tx.updateTable("access_audit").set({ at: 1 }).where("seq", "=", 3).execute()],
    ["details edited", (tx) => tx.updateTable("access_audit").set({ details: "{" }).where("seq", "=", 4).execute()],
    ["one taken out", (tx) => tx.deleteFrom("access_audit").where("seq", "=", 2).execute()],
    ["the last taken out", (tx) => tx.deleteFrom("access_audit").where("seq", "=", 4).execute()],
    ["the first taken out", (tx) => tx.deleteFrom("access_audit").where("seq", "=", 1).execute()],
    [
      "all taken out",
      async (tx) => {
        await tx.deleteFrom("access_audit").execute();
        await tx.deleteFrom("access_audit_head").execute();
      },
    ],
    ["the end moved back", (tx) => tx.updateTable("access_audit_head").set({ seq: 3 }).execute()],
    ["a hash replaced", (tx) => tx.updateTable("access_audit").set({ hash: "0" }).where("seq", "=", 4).execute()],
  ])("K30: shows %s", async (_what, edit) => {
    expect(await access.audit.list(admin.by, 100)).toMatchObject({ intact: true, entries: { length: 4 } });
    await database.transaction(edit);
    expect((await access.audit.list(admin.by, 100)).intact).toBe(false);
  });

  it("K30: another team's broken book does not break this one", async () => {
    const beta = await access.teams.create(admin.by, "Beta", home);
    await database.transaction((tx) =>
      tx.updateTable("access_audit").set({ actor: "eve" }).where("book", "=", beta.id).execute(),
    );
    expect((await access.audit.list(admin.by, 100)).intact).toBe(true);
    const inBeta = await login(access, ada, beta.id);
    expect((await access.audit.list(inBeta.by, 100)).intact).toBe(false);
  });

  it("K30: whole pages of it are one chain, from several servers at once", async () => {
    const other = openAccess(place, clock).access;
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? access : other).projects.add(admin.by, `P${index}`, home)),
    );
    const { entries, intact } = await access.audit.list(admin.by, 1000);
    expect(intact).toBe(true);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 44 }, (_, index) => index + 1));
  });

  it("M8: hashes what is shown each time, and what comes before once in a process", async () => {
    for (let index = 0; index < 20; index++) await access.projects.add(admin.by, `P${index}`, home);
    const edit = (seq: number, actor: string) =>
      database.transaction((tx) => tx.updateTable("access_audit").set({ actor }).where("seq", "=", seq).execute());
    const isIntact = async (limit: number, by = access) => (await by.audit.list(admin.by, limit)).intact;
    expect(await isIntact(3)).toBe(true);
    await edit(5, "eve");
    expect(await isIntact(3)).toBe(true);
    expect(await isIntact(1000)).toBe(false);
    expect(await isIntact(3, openAccess(place, clock).access)).toBe(false);
    await edit(5, ada.email);
    await edit(23, "eve");
    expect(await isIntact(3)).toBe(false);
    await edit(23, ada.email);
    await access.projects.add(admin.by, "More", home);
    expect(await isIntact(3)).toBe(true);
    await access.projects.add(admin.by, "Yet more", home);
    await access.projects.add(admin.by, "The last", home);
    await edit(26, "eve");
    expect(await isIntact(1)).toBe(false);
  });

  it("M8: shows the server's own book to admins of the first team alone", async () => {
    expect(await access.audit.list(admin.by, 10, "server")).toEqual({ entries: [], intact: true });
    await access.signIn.withPassword("nobody@example.com", "wrong password", home).catch(() => undefined);
    const { entries, intact } = await access.audit.list(admin.by, 10, "server");
    expect(entries).toMatchObject([{ actor: "nobody@example.com", action: "sign-in.failed" }]);
    expect(intact).toBe(true);
    clock.pass(1);
    const beta = await access.teams.create(admin.by, "Beta", home);
    const inBeta = await access.tokens.authenticate(admin.pair.accessToken, beta.id);
    if (!inBeta) throw new Error("not in the new team");
    await expect(access.audit.list(inBeta, 10, "server")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    const member = await join(access, admin.by, bob, "member");
    await expect(access.audit.list(member.by, 10, "server")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await database.transaction((tx) => tx.deleteFrom("access_audit").where("book", "=", "").execute());
    expect((await access.audit.list(admin.by, 10, "server")).intact).toBe(false);
  });

  it("K30: where it cannot be written nothing else is", async () => {
    const member = await join(access, admin.by, bob, "member");
    const { code, id } = await access.invitations.create(admin.by, { role: "viewer" }, home);
    const { deviceCode, userCode } = await access.devices.request("forge", home);
    const approved = await access.devices.request("forge", home);
    await access.devices.decide(admin.cookie, approved.userCode, "approve", home);
    await database.transaction((tx) => sql`alter table access_audit rename to away`.execute(tx));
    const userId = member.by.user.id;
    for (const change of [
      () => access.invitations.create(admin.by, { role: "admin" }, home),
      () => access.invitations.withdraw(admin.by, id, home),
      () => access.registration.accept(code, { ...bob, email: "new@example.com", displayName: "New" }, home),
      () => access.members.setRole(admin.by, userId, "admin", home),
      () => access.members.remove(admin.by, userId, home),
      () => access.projects.add(admin.by, "Web", home),
      () => access.teams.create(admin.by, "Beta", home),
      () => access.tokens.create(admin.by, { name: "x", scopes: ["tickets:read"], days: 1 }, home),
      () => access.tokens.revoke(admin.by, member.by.tokenId, home),
      () => access.tokens.end(member.pair.accessToken, home),
      () => access.signIn.withPassword(ada.email, ada.password, home),
      () => access.devices.decide(admin.cookie, userCode, "approve", home),
      () => access.devices.redeem(approved.deviceCode, home),
    ]) {
      await expect(change()).rejects.toThrow();
    }
    await database.transaction((tx) => sql`alter table away rename to access_audit`.execute(tx));
    expect(await access.members.list(admin.by)).toMatchObject([{ role: "admin" }, { role: "member" }]);
    expect(await access.invitations.list(admin.by)).toMatchObject([{ id }]);
    expect(await access.projects.list(admin.by)).toEqual([]);
    expect(await access.tokens.list(admin.by)).toHaveLength(2);
    expect(await access.tokens.authenticate(member.pair.accessToken, undefined)).toBeDefined();
    expect(await access.devices.redeem(deviceCode, home)).toMatchObject({ refusal: "authorization_pending" });
    expect(await access.devices.redeem(approved.deviceCode, home)).toHaveProperty("accessToken");
    expect((await access.audit.list(admin.by, 1000)).intact).toBe(true);
  });
});
