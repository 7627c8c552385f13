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
import type { Access } from "../service/access.ts";
import type { AccessTables } from "../store/schema.ts";

const reading = { name: "CI", scopes: ["tickets:read"] as const, days: 30 };

describeOnEngines("tokens", (engine) => {
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

  const speaks = async (bearer: string) => (await access.tokens.authenticate(bearer, undefined)) !== undefined;
  const refused = { code: "AUTH_FAILED", message: "The refresh token was already used or revoked, or it has expired." };

  it("K28: garbled, foreign and oversized tokens speak for nobody", async () => {
    const { accessToken, refreshToken } = admin.pair;
    const [header, claims] = [{ alg: "none" }, { sub: admin.by.user.id }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    const wrong = [
      "",
      "fga_",
      `${accessToken}=`,
      accessToken.slice(0, -1),
      `fgp_${accessToken.slice(4)}`,
      `fgr_${accessToken.slice(4)}`,
      refreshToken,
      admin.cookie,
      accessToken.toLowerCase(),
      `${header}.${claims}.`,
      "fga_' or 1=1 --",
      `fga_\u0000${"A".repeat(42)}`,
      `fga_${"A".repeat(43)}`,
      `fga_${"A".repeat(10_000_000)}`,
    ];
    for (const bearer of wrong) expect(await speaks(bearer)).toBe(false);
    for (const token of wrong.filter((text) => text !== refreshToken)) {
      await expect(access.refreshTokens.exchange(token, home)).rejects.toMatchObject(refused);
    }
    expect(await speaks(accessToken)).toBe(true);
  });

  it("an access token lasts 15 minutes, and the pair is renewed for 30 days more each time", async () => {
    clock.pass(15 * 60 - 1);
    expect(await speaks(admin.pair.accessToken)).toBe(true);
    clock.pass(1);
    expect(await speaks(admin.pair.accessToken)).toBe(false);
    clock.pass(29 * 86_400);
    const next = await access.refreshTokens.exchange(admin.pair.refreshToken, home);
    expect(next).toMatchObject({ user: admin.pair.user, team: admin.pair.team });
    expect(await speaks(next.accessToken)).toBe(true);
    clock.pass(30 * 86_400);
    await expect(access.refreshTokens.exchange(next.refreshToken, home)).rejects.toMatchObject(refused);
  });

  it("K29: a refresh token that comes again ends the whole family", async () => {
    const second = await access.refreshTokens.exchange(admin.pair.refreshToken, home);
    const third = await access.refreshTokens.exchange(second.refreshToken, home);
    expect(await speaks(third.accessToken)).toBe(true);
    await expect(access.refreshTokens.exchange(admin.pair.refreshToken, home)).rejects.toMatchObject(refused);
    for (const { accessToken } of [admin.pair, second, third]) expect(await speaks(accessToken)).toBe(false);
    await expect(access.refreshTokens.exchange(third.refreshToken, home)).rejects.toMatchObject(refused);
    const { by } = await login(access, ada);
    const { entries } = await access.audit.list(by, 100);
    expect(entries.map(({ action }) => action)).toContain("token.reused");
  });

  it("K29: after a lost answer the same token gives another pair, and the lost one is void", async () => {
    const lost = await access.refreshTokens.exchange(admin.pair.refreshToken, home);
    clock.pass(29);
    const kept = await access.refreshTokens.exchange(admin.pair.refreshToken, home);
    expect(await speaks(lost.accessToken)).toBe(false);
    expect(await speaks(kept.accessToken)).toBe(true);
    await expect(access.refreshTokens.exchange(lost.refreshToken, home)).rejects.toMatchObject(refused);
    expect(await speaks(kept.accessToken)).toBe(false);
  });

  it.each<[string, (speak: (bearer: string) => Promise<boolean>, pair: { accessToken: string }) => Promise<unknown>]>([
    ["its answer was used", (speak, { accessToken }) => speak(accessToken)],
    ["30 seconds have passed", async () => clock.pass(31)],
  ])("K29: there is no second pair once %s", async (_when, happen) => {
    const next = await access.refreshTokens.exchange(admin.pair.refreshToken, home);
    await happen(speaks, next);
    await expect(access.refreshTokens.exchange(admin.pair.refreshToken, home)).rejects.toMatchObject(refused);
    await expect(access.refreshTokens.exchange(next.refreshToken, home)).rejects.toMatchObject(refused);
  });

  it("K29: nor once the next refresh token was used", async () => {
    const next = await access.refreshTokens.exchange(admin.pair.refreshToken, home);
    const last = await access.refreshTokens.exchange(next.refreshToken, home);
    await expect(access.refreshTokens.exchange(admin.pair.refreshToken, home)).rejects.toMatchObject(refused);
    expect(await speaks(last.accessToken)).toBe(false);
  });

  it("K29: however many refresh at once, at most one pair is good afterwards", async () => {
    const servers = [access, openAccess(place, clock).access, openAccess(place, clock).access];
    const answers = await Promise.allSettled(
      servers.flatMap((server) =>
        Array.from({ length: 10 }, () => server.refreshTokens.exchange(admin.pair.refreshToken, home)),
      ),
    );
    const pairs = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(pairs).toHaveLength(30);
    const good: boolean[] = [];
    for (const { accessToken } of pairs) good.push(await speaks(accessToken));
    expect(good.filter(Boolean)).toHaveLength(1);
  });

  it("K16: no table holds a secret", async () => {
    const made = await access.tokens.create(admin.by, reading, home);
    const invited = await access.invitations.create(admin.by, { role: "viewer" }, home);
    const secrets = [admin.pair.accessToken, admin.pair.refreshToken, admin.cookie, made.secret, invited.code];
    const tables = ["access_secret", "access_grant", "access_session", "access_invitation", "access_audit"] as const;
    const rows = await database.read(async (db) => {
      const all: unknown[] = [];
      for (const table of tables) all.push(...(await db.selectFrom(table).selectAll().execute()));
      return [...all, ...(await db.selectFrom("access_user").selectAll().execute())];
    });
    const text = JSON.stringify(rows);
    for (const secret of [...secrets, ...secrets.map((each) => each.slice(4)), ada.password]) {
      expect(text).not.toContain(secret);
    }
  });

  it("a token made by name has its scopes, its expiry and its last use", async () => {
    const { secret, ...info } = await access.tokens.create(admin.by, reading, home);
    expect(secret).toMatch(/^fgp_/);
    expect(info).toEqual({
      id: info.id,
      name: "CI",
      owner: ada.email,
      scopes: ["tickets:read"],
      createdAt: "2026-01-31T12:00:00.000Z",
      expiresAt: "2026-03-02T12:00:00.000Z",
    });
    clock.pass(60);
    expect(await access.tokens.authenticate(secret, undefined)).toMatchObject({
      user: { email: ada.email },
      role: "admin",
      scopes: ["tickets:read"],
      tokenId: info.id,
    });
    const listed = (await access.tokens.list(admin.by)).find(({ id }) => id === info.id);
    expect(listed).toEqual({ ...info, lastUsedAt: "2026-01-31T12:01:00.000Z" });
    clock.pass(30 * 86_400);
    expect(await speaks(secret)).toBe(false);
    const { secret: lasting } = await access.tokens.create(
      (await login(access, ada)).by,
      { ...reading, days: undefined },
      home,
    );
    clock.pass(3650 * 86_400);
    expect(await speaks(lasting)).toBe(true);
  });

  it("refuses tokens with scopes that are not there, or more than the caller has", async () => {
    const viewer = await join(access, admin.by, bob, "viewer");
    const wish = (scopes: string[], days?: number) =>
      access.tokens.create(viewer.by, { name: "x", scopes: scopes as ["a:read"], days }, home);
    await expect(wish(["tickets:write"])).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(wish(["tickets:everything"])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(wish([])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    for (const days of [0, -1, 1.5, 3651, Number.NaN]) {
      await expect(wish(["tickets:read"], days)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
    await expect(wish(["tickets:read", "tickets:read"], 1)).resolves.toMatchObject({ scopes: ["tickets:read"] });
  });

  it("a member has so many at most, not counting those that have ended or expired", async () => {
    const { by } = await join(access, admin.by, bob, "member");
    const made = await access.tokens.create(by, reading, home);
    await database.transaction(async (tx) => {
      const row = await tx.selectFrom("access_grant").selectAll().where("id", "=", made.id).executeTakeFirstOrThrow();
      for (let count = 1; count < 1_000; count++)
        await tx
          .insertInto("access_grant")
          .values({ ...row, id: `${row.id}-${count}` })
          .execute();
    });
    await expect(access.tokens.create(by, reading, home)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await access.tokens.create(admin.by, reading, home);
    await access.tokens.revoke(by, made.id, home);
    await access.tokens.create(by, reading, home);
    await expect(access.tokens.create(by, reading, home)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    clock.pass(31 * 86_400);
    const { by: later } = await login(access, bob, by.team.id);
    await access.tokens.create(later, reading, home);
  });

  it("a token made by name can end itself, but neither make nor end others", async () => {
    const all = { name: "all", scopes: admin.by.scopes, days: undefined };
    const strong = await access.tokens.create(admin.by, all, home);
    const weak = await access.tokens.create(admin.by, reading, home);
    const byStrong = await access.tokens.authenticate(strong.secret, undefined);
    const byWeak = await access.tokens.authenticate(weak.secret, undefined);
    if (!byStrong || !byWeak) throw new Error("tokens that were just made speak for nobody");
    await expect(access.tokens.create(byStrong, reading, home)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(access.tokens.revoke(byWeak, strong.id, home)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await access.tokens.revoke(byWeak, weak.id, home);
    expect(await speaks(weak.secret)).toBe(false);
    expect(await speaks(strong.secret)).toBe(true);
  });

  it("members see and end their own, admins the whole team's", async () => {
    const member = await join(access, admin.by, bob, "member");
    const theirs = await access.tokens.create(member.by, reading, home);
    const mine = await access.tokens.create(admin.by, reading, home);
    expect((await access.tokens.list(member.by)).map(({ owner }) => owner)).toEqual([bob.email, bob.email]);
    expect((await access.tokens.list(admin.by)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([theirs.id, mine.id]),
    );
    const missing = "3f0c1f5e-1111-4222-8333-444455556666";
    for (const id of [mine.id, missing, "x", "\u0000"]) {
      await expect(access.tokens.revoke(member.by, id, home)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await access.tokens.revoke(admin.by, theirs.id, home);
    expect(await speaks(theirs.secret)).toBe(false);
    await expect(access.tokens.revoke(admin.by, theirs.id, home)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const [signIn] = await access.tokens.list(member.by);
    await access.tokens.revoke(member.by, signIn?.id ?? "", home);
    expect(await speaks(member.pair.accessToken)).toBe(false);
    await expect(access.refreshTokens.exchange(member.pair.refreshToken, home)).rejects.toMatchObject(refused);
  });

  it("signing out ends the family, by whichever of its secrets and however often", async () => {
    for (const which of ["accessToken", "refreshToken"] as const) {
      const { pair } = await login(access, ada);
      await access.tokens.end(pair[which], home);
      await access.tokens.end(pair[which], home);
      expect(await speaks(pair.accessToken)).toBe(false);
      await expect(access.refreshTokens.exchange(pair.refreshToken, home)).rejects.toMatchObject(refused);
    }
    await access.tokens.end("nonsense", home);
    expect(await speaks(admin.pair.accessToken)).toBe(true);
  });

  it("what a token allows follows the role of the moment", async () => {
    const member = await join(access, admin.by, bob, "member");
    const made = await access.tokens.create(member.by, { ...reading, scopes: ["tickets:read", "tickets:write"] }, home);
    await access.members.setRole(admin.by, member.by.user.id, "viewer", home);
    expect((await access.tokens.authenticate(made.secret, undefined))?.scopes).toEqual(["tickets:read"]);
    await access.members.remove(admin.by, member.by.user.id, home);
    expect(await speaks(made.secret)).toBe(false);
    await expect(access.tokens.create(member.by, reading, home)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });
});
