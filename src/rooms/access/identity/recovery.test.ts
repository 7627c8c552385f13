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
import type { Access } from "../service/access.ts";

const carol = { email: "carol@example.com", displayName: "Carol", password: "third password" };
const anew = "a whole new one";
const wrong = { code: "AUTH_FAILED" };
const denied = { code: "PERMISSION_DENIED" };

describeOnEngines("a forgotten password", (engine) => {
  let access: Access;
  let clock: TestClock;
  let admin: SignedInPerson;
  let member: SignedInPerson;
  beforeEach(async () => {
    ({ access, clock } = openAccess(await engine.fresh()));
    admin = await setUp(access);
    member = await join(access, admin.by, bob, "member");
  });

  const link = (by = admin.by) => access.recovery.createLink(by, member.by.user.id, home);
  const actions = async () => (await access.audit.list(admin.by, 1000)).entries.map(({ action }) => action);

  it("is set anew once by an admin's link, which ends all that was signed in", async () => {
    const { secret } = await access.tokens.create(member.by, { name: "CI", scopes: ["tickets:read"], days: 9 }, home);
    const { code, expiresAt } = await link();
    expect(code).toMatch(/^fgw_/);
    expect(Date.parse(expiresAt) - clock.now()).toBe(3_600_000);
    expect(await access.recovery.userOf(code)).toMatchObject({ email: bob.email });
    await expect(access.recovery.reset(code, "short", home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await access.recovery.reset(code, anew, home);
    expect(await access.sessions.get(member.cookie)).toBeUndefined();
    for (const bearer of [member.pair.accessToken, secret])
      expect(await access.tokens.authenticate(bearer, undefined)).toBeUndefined();
    await expect(access.refreshTokens.exchange(member.pair.refreshToken, home)).rejects.toMatchObject(wrong);
    await expect(access.signIn.withPassword(bob.email, bob.password, home)).rejects.toMatchObject(wrong);
    await access.signIn.withPassword(bob.email, anew, home);
    await expect(access.recovery.reset(code, "once more again", home)).rejects.toMatchObject(wrong);
    expect(await access.sessions.get(admin.cookie)).toBeDefined();
    expect(await actions()).toEqual(expect.arrayContaining(["password.reset-link", "password.reset"]));
  });

  it("takes one of many uses at once", async () => {
    const { code } = await link();
    const uses = Array.from({ length: 5 }, (_, index) => access.recovery.reset(code, `password ${index}`, home));
    const answers = await Promise.allSettled(uses);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("opens the account that was locked by guesses", async () => {
    for (let tries = 0; tries < 5; tries++)
      await access.signIn.withPassword(bob.email, "wrong password", home).catch(() => undefined);
    await access.recovery.reset((await link()).code, anew, home);
    await access.signIn.withPassword(bob.email, anew, home);
  });

  it("is not set by a link that expired or was replaced, or by any other secret", async () => {
    const older = await link();
    const newer = await link();
    for (const code of [older.code, "", "fgw_", admin.cookie, `${newer.code}x`]) {
      expect(await access.recovery.userOf(code)).toBeUndefined();
      await expect(access.recovery.reset(code, anew, home)).rejects.toMatchObject(wrong);
    }
    clock.pass(3_600);
    await expect(access.recovery.reset(newer.code, anew, home)).rejects.toMatchObject(wrong);
  });

  it("is no way into a team that is not the admin's", async () => {
    const second = await join(access, admin.by, carol, "admin");
    const beta = await access.teams.create(second.by, "Beta", home);
    await expect(access.recovery.createLink(admin.by, second.by.user.id, home)).rejects.toMatchObject(denied);
    const inBeta = await access.tokens.authenticate(second.pair.accessToken, beta.id);
    if (!inBeta) throw new Error("not in the new team");
    const { code } = await access.invitations.create(inBeta, { role: "viewer" }, home);
    await access.registration.accept(code, ada, home);
    await expect(access.recovery.createLink(admin.by, second.by.user.id, home)).rejects.toMatchObject(denied);
    await expect(access.recovery.createLink(inBeta, member.by.user.id, home)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await access.members.setRole(inBeta, admin.by.user.id, "admin", home);
    expect(await access.recovery.createLink(admin.by, second.by.user.id, home)).toHaveProperty("code");
  });

  it("is not set by a link from before the user was in another team", async () => {
    const { code } = await link();
    const second = await join(access, admin.by, carol, "admin");
    const beta = await access.teams.create(second.by, "Beta", home);
    const inBeta = await access.tokens.authenticate(second.pair.accessToken, beta.id);
    if (!inBeta) throw new Error("not in the new team");
    const invitation = await access.invitations.create(inBeta, { role: "member" }, home);
    await access.registration.accept(invitation.code, bob, home);
    await expect(access.recovery.reset(code, anew, home)).rejects.toMatchObject(wrong);
    await access.signIn.withPassword(bob.email, bob.password, home);
  });

  it("signs out what is about to sign in: an approved device, and a sign-in with the old password", async () => {
    const { deviceCode, userCode } = await access.devices.request("forge", home);
    await access.devices.decide(member.cookie, userCode, "approve", home);
    const { code } = await link();
    const late = access.signIn.withPassword(bob.email, bob.password, home);
    await access.recovery.reset(code, anew, home);
    const session = await late.catch(() => undefined);
    expect(session && (await access.sessions.get(session.cookie))).toBeUndefined();
    expect(await access.devices.redeem(deviceCode, home)).toEqual({ refusal: "access_denied" });
  });

  it("is not set by the link of a former admin, whose invitations have ended too", async () => {
    const second = await join(access, admin.by, carol, "admin");
    const made = [await link(second.by), await access.invitations.create(second.by, { role: "admin" }, home)];
    const own = await access.invitations.create(admin.by, { role: "viewer" }, home);
    await access.members.setRole(admin.by, second.by.user.id, "viewer", home);
    const [reset, invitation] = made.map(({ code }) => code);
    await expect(access.recovery.reset(reset ?? "", anew, home)).rejects.toMatchObject(wrong);
    expect(await access.invitations.get(invitation ?? "")).toBeUndefined();
    expect(await access.invitations.get(own.code)).toBeDefined();
    await access.members.setRole(admin.by, second.by.user.id, "admin", home);
    const { code } = await access.invitations.create(second.by, { role: "admin" }, home);
    await access.members.remove(admin.by, second.by.user.id, home);
    expect(await access.invitations.get(code)).toBeUndefined();
  });

  it("of an admin ends the invitations and links that the account made, which a thief may have", async () => {
    const second = await join(access, admin.by, carol, "admin");
    const { code: invitation } = await access.invitations.create(second.by, { role: "admin" }, home);
    const { code: theirs } = await access.recovery.createLink(second.by, member.by.user.id, home);
    const { code: kept } = await access.invitations.create(admin.by, { role: "member" }, home);
    const { code } = await access.recovery.createLink(admin.by, second.by.user.id, home);
    await access.recovery.reset(code, anew, home);
    expect(await access.invitations.get(invitation)).toBeUndefined();
    expect(await access.recovery.userOf(theirs)).toBeUndefined();
    expect(await access.invitations.get(kept)).toBeDefined();
  });

  it("is not given to an account of an OpenID provider by an admin, only by whoever runs the server", async () => {
    await link();
    const identity = { issuer: "https://id.example", subject: "7", email: bob.email, displayName: "Bob" };
    const { cookie } = await access.signIn.withIdentity(identity, home);
    await expect(link()).rejects.toMatchObject(denied);
    expect(await access.sessions.get(cookie)).toBeDefined();
    const { code } = await access.recovery.createHostLink(bob.email);
    await access.recovery.reset(code, anew, home);
    await access.signIn.withPassword(bob.email, anew, home);
  });

  it("needs an admin in person", async () => {
    await expect(access.recovery.createLink(member.by, admin.by.user.id, home)).rejects.toMatchObject(denied);
    await expect(access.recovery.createLink(admin.by, "nobody", home)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("of the last admin is set by a link of whoever runs the server", async () => {
    const { code } = await access.recovery.createHostLink(" ADA@example.com ");
    await access.recovery.reset(code, anew, home);
    await login(access, { ...ada, password: anew });
    await expect(access.recovery.createHostLink("nobody@example.com")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is what a failed sign-in suggests", async () => {
    await expect(access.signIn.withPassword(bob.email, "wrong password", home)).rejects.toMatchObject({
      next: ["Check both and try again.", expect.stringContaining("link to set a new password")],
    });
  });

  it("is changed with the old one, which signs other browsers out", async () => {
    const other = await access.signIn.withPassword(bob.email, bob.password, home);
    await expect(access.recovery.change(member.cookie, "not the old one", anew, home)).rejects.toMatchObject(wrong);
    await expect(access.recovery.change("fgs_", bob.password, anew, home)).rejects.toMatchObject({
      code: "AUTH_REQUIRED",
    });
    expect(await access.sessions.get(other.cookie)).toBeDefined();
    await access.recovery.change(member.cookie, bob.password, anew, home);
    expect(await access.sessions.get(other.cookie)).toBeUndefined();
    expect(await access.sessions.get(member.cookie)).toBeDefined();
    expect(await access.tokens.authenticate(member.pair.accessToken, undefined)).toBeDefined();
    await access.signIn.withPassword(bob.email, anew, home);
    expect(await actions()).toContain("password.changed");
  });
});
