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
import { type Access, makeAccess } from "../service/access.ts";
import type { AccessTables } from "../store/schema.ts";

const issuer = "https://id.example.com";
const identity = { issuer, subject: "1001", email: "carol@example.com", displayName: "Carol" };
const wrong = { code: "AUTH_FAILED", message: "Wrong email or password." };

describeOnEngines("signing in", (engine) => {
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

  const fail = (email = ada.email, from = home) => access.signIn.withPassword(email, "wrong password", from);

  it("opens a session of seven days, with a token for its forms", async () => {
    const session = await access.signIn.withPassword(" ADA@example.com ", ada.password, home);
    expect(session).toEqual({
      cookie: expect.stringMatching(/^fgs_[A-Za-z0-9_-]{43}$/),
      csrf: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      user: admin.by.user,
    });
    clock.pass(7 * 86_400 - 1);
    expect(await access.sessions.get(session.cookie)).toEqual(session);
    clock.pass(1);
    expect(await access.sessions.get(session.cookie)).toBeUndefined();
  });

  it("forgets failures after a while, also those for addresses that nobody has", async () => {
    const count = () =>
      database.read(async (db) => (await db.selectFrom("access_lockout").select("subject").execute()).length);
    for (let number = 0; number < 4; number++) await expect(fail(`nobody${number}@example.com`)).rejects.toThrow();
    const before = await count();
    clock.pass(3_700);
    await expect(fail()).rejects.toThrow();
    expect([before, await count()]).toEqual([10, 3]);
  });

  it("ends with signing out, and only that session", async () => {
    const other = await access.signIn.withPassword(ada.email, ada.password, home);
    await access.sessions.close(other.cookie);
    await access.sessions.close("nonsense");
    expect(await access.sessions.get(other.cookie)).toBeUndefined();
    expect(await access.sessions.get(admin.cookie)).toBeDefined();
    for (const cookie of ["", "fgs_", admin.pair.accessToken, "\u0000"]) {
      expect(await access.sessions.get(cookie)).toBeUndefined();
    }
  });

  it("fails with the same words whatever was wrong", async () => {
    for (const [email, password] of [
      [ada.email, "wrong password"],
      [ada.email, ""],
      [ada.email, "x".repeat(1_000_000)],
      ["nobody@example.com", ada.password],
      ["no address\u0000", ada.password],
      ["' or 1=1 --", ada.password],
    ] as const) {
      await expect(access.signIn.withPassword(email, password, home)).rejects.toMatchObject(wrong);
    }
  });

  const tooMany = { code: "AUTH_FAILED", message: expect.stringContaining("Too many") };

  it("K each further failure waits twice as long, up to a minute; the right password gets in, and is forgiven", async () => {
    for (let tries = 0; tries < 5; tries++) await expect(fail()).rejects.toMatchObject(wrong);
    expect(clock.waits).toEqual([]);
    for (let tries = 0; tries < 4; tries++) await expect(fail()).rejects.toMatchObject(wrong);
    expect(clock.waits).toEqual([1, 2, 4, 8]);
    // No request is held open longer: it is told when to come back, and is then checked at once.
    for (const seconds of [16, 32, 60, 60]) {
      await expect(fail()).rejects.toMatchObject({ ...tooMany, details: { retryAfterSeconds: seconds } });
      await expect(fail()).rejects.toMatchObject(tooMany);
      clock.pass(seconds);
      await expect(fail()).rejects.toMatchObject(wrong);
    }
    const right = () => access.signIn.withPassword(ada.email, ada.password, home);
    await expect(right()).rejects.toMatchObject({ ...tooMany, details: { retryAfterSeconds: 60 } });
    clock.pass(60);
    await right();
    expect(clock.waits).toEqual([1, 2, 4, 8]);
    clock.waits.length = 0;
    for (let tries = 0; tries < 5; tries++) await expect(fail()).rejects.toMatchObject(wrong);
    await right();
    expect(clock.waits).toEqual([1]);
  });

  it("K the right password keeps its turn while others at the same address go on guessing", async () => {
    const guess = (password: string) => access.signIn.withPassword(ada.email, password, home);
    for (let tries = 0; tries < 12; tries++) {
      await expect(guess(`guess ${tries}`)).rejects.toMatchObject({ code: "AUTH_FAILED" });
      clock.pass(30);
    }
    const refused: unknown = await guess(ada.password).catch((error: unknown) => error);
    const { retryAfterSeconds } = (refused as { details: { retryAfterSeconds: number } }).details;
    for (let left = retryAfterSeconds; left > 0; left -= 30) {
      await expect(guess(`other ${left}`)).rejects.toMatchObject({ code: "AUTH_FAILED" });
      clock.pass(30);
    }
    expect((await guess(ada.password)).user.email).toBe(ada.email);
  });

  it("K wrong passwords from elsewhere do not lock out the right one", async () => {
    for (let tries = 0; tries < 12; tries++)
      await expect(fail(ada.email, { address: "203.0.113.9" })).rejects.toMatchObject({ code: "AUTH_FAILED" });
    clock.waits.length = 0;
    await access.signIn.withPassword(ada.email, ada.password, home);
    expect(clock.waits).toEqual([]);
  });

  it("accounts that are not there wait alike, across restarts, and it is forgotten after an hour", async () => {
    for (let tries = 0; tries < 5; tries++) await expect(fail("nobody@example.com")).rejects.toMatchObject(wrong);
    const restarted = openAccess(place, clock).access;
    await expect(restarted.signIn.withPassword("Nobody@example.com", "x", home)).rejects.toMatchObject(wrong);
    expect(clock.waits).toEqual([1]);
    clock.pass(3601);
    await expect(fail("nobody@example.com")).rejects.toMatchObject(wrong);
    expect(clock.waits).toEqual([1]);
  });

  it("an address that tries many accounts waits, but no other, and one IPv6 network counts as one", async () => {
    for (let tries = 0; tries < 20; tries++) {
      const from = { address: `2001:db8:1:2::${tries.toString(16)}` };
      await expect(fail(`user${tries}@example.com`, from)).rejects.toMatchObject(wrong);
    }
    await access.signIn.withPassword(ada.email, ada.password, { address: "2001:db8:1:2:ffff::1" });
    expect(clock.waits).toEqual([1]);
    await access.signIn.withPassword(ada.email, ada.password, { address: "2001:db8:1:3::1" });
    expect(clock.waits).toEqual([1]);
  });

  it("guesses from the many networks of one subscriber keep no password from elsewhere waiting", async () => {
    // So much that looking accounts up takes no time beside it.
    const passwordCost = { N: 2 ** 14, r: 8, p: 1 };
    const { signIn } = makeAccess({ database: database.forTables(), now: clock.now, pause: clock.pause, passwordCost });
    let checked = 0;
    const guess = async (count: number) => {
      const from = { address: `2001:db8:1:${count}::1` };
      await expect(signIn.withPassword(`user${count}@example.com`, ada.password, from)).rejects.toMatchObject(wrong);
      checked++;
    };
    const guesses = Array.from({ length: 40 }, (_, count) => guess(count));
    await signIn.withPassword(ada.email, ada.password, home);
    expect(checked).toBeLessThan(25);
    await Promise.all(guesses);
  });

  it("guesses at once are no faster than one after another", async () => {
    const guesses = await Promise.allSettled(Array.from({ length: 100 }, () => fail()));
    const words = guesses.map((guess) => (guess.status === "rejected" ? String(guess.reason.message) : ""));
    const checked = words.filter((text) => text === wrong.message).length;
    expect(checked + words.filter((text) => text.startsWith("Too many")).length).toBe(100);
    expect(clock.waits.length).toBe(Math.max(0, checked - 5));
    // Each waits for those before it.
    expect(clock.waits.every((wait, at) => at === 0 || wait >= 1)).toBe(true);
  });

  it("stores a password anew when its cost has changed", async () => {
    const stored = () =>
      database.read((db) => db.selectFrom("access_user").select("password").executeTakeFirstOrThrow());
    expect((await stored()).password).toMatch(/^scrypt\$1024\$/);
    const costlier = makeAccess({
      database: database.forTables<unknown>(),
      now: clock.now,
      passwordCost: { N: 2048, r: 8, p: 1 },
    });
    await costlier.signIn.withPassword(ada.email, ada.password, home);
    expect((await stored()).password).toMatch(/^scrypt\$2048\$/);
    await access.signIn.withPassword(ada.email, ada.password, home);
  });

  it("lets nobody in who is in no team any more", async () => {
    const member = await join(access, admin.by, bob, "member");
    await access.members.remove(admin.by, member.by.user.id, home);
    expect(await access.sessions.get(member.cookie)).toBeUndefined();
    await expect(access.signIn.withPassword(bob.email, bob.password, home)).rejects.toMatchObject(wrong);
  });

  it("by OpenID: only people who were invited to that address, and again afterwards", async () => {
    await expect(access.signIn.withIdentity(identity, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    await access.invitations.create(admin.by, { role: "viewer" }, home);
    await expect(access.signIn.withIdentity(identity, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    await access.invitations.create(admin.by, { role: "member", email: "Carol@Example.com" }, home);
    const { user } = await access.signIn.withIdentity(identity, home);
    expect(user).toMatchObject({ email: identity.email, displayName: "Carol" });
    const moved = { ...identity, email: "carol.new@example.com" };
    expect((await access.signIn.withIdentity(moved, home)).user).toEqual(user);
    const members = await access.members.list(admin.by);
    expect(members.map(({ user: { email }, role }) => [email, role])).toEqual([
      [ada.email, "admin"],
      [identity.email, "member"],
    ]);
    await expect(access.signIn.withPassword(identity.email, "12345678", home)).rejects.toMatchObject(wrong);
  });

  it("by OpenID: a member is known by the address, once; somebody else with it later is not", async () => {
    const asAda = { ...identity, email: ada.email };
    expect((await access.signIn.withIdentity(asAda, home)).user).toEqual(admin.by.user);
    await expect(access.signIn.withIdentity({ ...asAda, subject: "2002" }, home)).rejects.toMatchObject({
      code: "AUTH_FAILED",
    });
    await expect(access.signIn.withIdentity({ ...asAda, email: "no address" }, home)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("by OpenID: an account that somebody made with another's address is the owner's alone from then on", async () => {
    const thief = await join(access, admin.by, { ...bob, email: identity.email }, "viewer");
    const { secret } = await access.tokens.create(thief.by, { name: "Kept", scopes: ["tickets:read"], days: 9 }, home);
    const { code } = await access.recovery.createLink(admin.by, thief.by.user.id, home);
    await access.invitations.create(admin.by, { role: "admin", email: identity.email }, home);
    const { user, cookie } = await access.signIn.withIdentity(identity, home);
    expect(user.id).toBe(thief.by.user.id);
    expect(await access.sessions.get(cookie)).toBeDefined();
    expect(await access.sessions.get(thief.cookie)).toBeUndefined();
    expect(await access.tokens.authenticate(secret, undefined)).toBeUndefined();
    expect(await access.recovery.userOf(code)).toBeUndefined();
    await expect(access.signIn.withPassword(identity.email, bob.password, home)).rejects.toMatchObject(wrong);
  });

  it("by OpenID: a member who was removed is out, until invited again", async () => {
    await access.invitations.create(admin.by, { role: "member", email: identity.email }, home);
    const { user, cookie } = await access.signIn.withIdentity(identity, home);
    await access.members.remove(admin.by, user.id, home);
    expect(await access.sessions.get(cookie)).toBeUndefined();
    await expect(access.signIn.withIdentity(identity, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    await access.invitations.create(admin.by, { role: "viewer", email: identity.email }, home);
    expect((await access.signIn.withIdentity(identity, home)).user).toEqual(user);
  });

  it("by OpenID: many sign-ins at once use an invitation once", async () => {
    await access.invitations.create(admin.by, { role: "member", email: identity.email }, home);
    const other = openAccess(place, clock).access;
    const sessions = await Promise.all(
      [access, other].flatMap((server) => Array.from({ length: 10 }, () => server.signIn.withIdentity(identity, home))),
    );
    expect(new Set(sessions.map(({ user }) => user.id)).size).toBe(1);
    expect(await access.members.list(admin.by)).toHaveLength(2);
  });
});
