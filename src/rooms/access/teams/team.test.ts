import { beforeEach, expect, it } from "vitest";
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
} from "../../../../test/harness/access.ts";
import { describeOnEngines } from "../../../../test/harness/store.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { LocalAccess } from "../service/access.ts";
import type { Role, SignedIn } from "../service/ports.ts";

const carol = { email: "carol@example.com", displayName: "Carol", password: "third password" };
const missing = "3f0c1f5e-1111-4222-8333-444455556666";

describeOnEngines("setting up", (engine) => {
  let place: Place;
  let access: LocalAccess;
  let clock: TestClock;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access, clock } = openAccess(place));
  });

  it("takes the newest start's code, until there is a user", async () => {
    const code = (await access.setupCode()) ?? "";
    expect(code).toMatch(/^fgu_/);
    expect(await access.setupCode()).toBe(code);
    const restarted = openAccess(place, clock).access;
    const anew = (await restarted.setupCode()) ?? "";
    expect(anew).not.toBe(code);
    for (const wrong of [code, "", "fgu_", `${anew}x`]) {
      await expect(access.setUp(wrong, ada, "Acme", home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    }
    const user = await access.setUp(anew, ada, "Acme", home);
    expect(user).toMatchObject({ email: ada.email, displayName: "Ada" });
    expect(await access.setupCode()).toBeUndefined();
    expect(await restarted.setupCode()).toBeUndefined();
    await expect(access.setUp(anew, bob, "Evil", home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    expect((await login(access, ada)).by).toMatchObject({ role: "admin", team: { name: "Acme", slug: "acme" } });
  });

  it("makes one admin of many that use the link at once", async () => {
    const code = (await access.setupCode()) ?? "";
    const other = openAccess(place, clock).access;
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? access : other).setUp(code, { ...ada, email: `a${index}@example.com` }, "Acme", home),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("refuses what is no person or no team, and the link works after that", async () => {
    const code = (await access.setupCode()) ?? "";
    for (const person of [
      { ...ada, email: "ada" },
      { ...ada, password: "short" },
      { ...ada, displayName: "\u0000" },
    ]) {
      await expect(access.setUp(code, person, "Acme", home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
    await expect(access.setUp(code, ada, " ", home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await access.setUp(code, ada, "Acme", home);
  });
});

describeOnEngines("a team", (engine) => {
  let place: Place;
  let access: LocalAccess;
  let clock: TestClock;
  let admin: SignedInPerson;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access, clock } = openAccess(place));
    admin = await setUp(access);
  });

  it("grows by invitations, each of which works once within seven days", async () => {
    const { code, id, expiresAt } = await access.invite(admin.by, { role: "member", email: " Bob@Example.com" }, home);
    expect(expiresAt).toBe("2026-02-07T12:00:00.000Z");
    expect(await access.invitations(admin.by)).toEqual([{ id, role: "member", email: bob.email, expiresAt }]);
    expect(await access.invitation(code)).toEqual({ team: admin.by.team, role: "member", email: bob.email });
    await expect(access.accept(code, carol, home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const user = await access.accept(code, bob, home);
    expect((await access.members(admin.by)).at(-1)).toEqual({
      user,
      role: "member",
      joinedAt: "2026-01-31T12:00:00.000Z",
    });
    await expect(access.accept(code, carol, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    expect(await access.invitation(code)).toBeUndefined();
    expect(await access.invitations(admin.by)).toEqual([]);
    const late = await access.invite(admin.by, { role: "member" }, home);
    clock.pass(7 * 86_400);
    expect(await access.invitation(late.code)).toBeUndefined();
    await expect(access.accept(late.code, carol, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
  });

  it("takes one of many who accept an invitation at once", async () => {
    const { code } = await access.invite(admin.by, { role: "viewer" }, home);
    const servers = [access, openAccess(place, clock).access];
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        (servers[index % 2] ?? access).accept(code, { ...bob, email: `b${index}@example.com` }, home),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await access.members(admin.by)).toHaveLength(2);
  });

  it("does not let in with an invitation that was withdrawn", async () => {
    const { code, id } = await access.invite(admin.by, { role: "admin" }, home);
    await access.withdrawInvitation(admin.by, id, home);
    await expect(access.accept(code, bob, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    for (const gone of [id, missing, "x", "\u0000"]) {
      await expect(access.withdrawInvitation(admin.by, gone, home)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("takes one who has an account with that account's password only, and counts the failures", async () => {
    const second = await access.addTeam(admin.by, "Beta", home);
    const inSecond = await login(access, ada, second.id);
    await join(access, admin.by, bob, "member");
    const { code } = await access.invite(inSecond.by, { role: "viewer" }, home);
    for (let tries = 0; tries < 5; tries++) {
      await expect(access.accept(code, { ...bob, password: "wrong password" }, home)).rejects.toMatchObject({
        message: "The email address and the password do not fit together.",
      });
    }
    await expect(access.accept(code, bob, home)).rejects.toMatchObject({
      message: expect.stringContaining("Too many"),
    });
    clock.pass(30);
    const user = await access.accept(code, { ...bob, displayName: "Robert" }, home);
    expect(user.displayName).toBe("Bob");
    const again = await access.invite(inSecond.by, { role: "admin" }, home);
    await expect(access.accept(again.code, bob, home)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect((await login(access, bob, second.id)).by).toMatchObject({ role: "viewer", team: { slug: "beta" } });
  });

  it.each<[Role, readonly string[]]>([
    ["viewer", ["tickets:read", "activity:read", "access:read"]],
    ["member", ["tickets:read", "activity:read", "access:read", "tickets:write", "activity:write"]],
    ["admin", ["tickets:read", "activity:read", "access:read", "tickets:write", "activity:write", "access:write"]],
  ])("a %s may do what the role allows, and nothing else", async (role, scopes) => {
    const { by } = await join(access, admin.by, bob, role);
    expect(by.scopes).toEqual(scopes);
    const { id } = await access.invite(admin.by, { role: "viewer" }, home);
    const allowed = async (work: Promise<unknown>) => {
      try {
        await work;
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: "PERMISSION_DENIED" });
        return false;
      }
    };
    expect(await allowed(access.members(by))).toBe(true);
    expect(await allowed(access.projects(by))).toBe(true);
    expect(await allowed(access.tokens(by))).toBe(true);
    expect(await allowed(access.createToken(by, { name: "x", scopes: ["tickets:read"], days: 1 }, home))).toBe(true);
    const isAdmin = role === "admin";
    expect(await allowed(access.audit(by, 10))).toBe(isAdmin);
    expect(await allowed(access.invitations(by))).toBe(isAdmin);
    expect(await allowed(access.invite(by, { role: "admin" }, home))).toBe(isAdmin);
    expect(await allowed(access.withdrawInvitation(by, id, home))).toBe(isAdmin);
    expect(await allowed(access.addProject(by, "Web", home))).toBe(isAdmin);
    expect(await allowed(access.addTeam(by, "Beta", home))).toBe(isAdmin);
    expect(await allowed(access.setRole(by, by.user.id, "admin", home))).toBe(isAdmin);
    expect(await allowed(access.removeMember(by, admin.by.user.id, home))).toBe(isAdmin);
    expect(await access.members(by)).toHaveLength(isAdmin ? 1 : 2);
  });

  it("an admin's token without the scope is no admin's", async () => {
    const { secret } = await access.createToken(admin.by, { name: "x", scopes: ["tickets:read"], days: 1 }, home);
    const by = (await access.authenticate(secret, undefined)) as SignedIn;
    const denied = { code: "PERMISSION_DENIED" };
    for (const attempt of [
      () => access.members(by),
      () => access.projects(by),
      () => access.tokens(by),
      () => access.audit(by, 10),
      () => access.invitations(by),
      () => access.invite(by, { role: "admin" }, home),
      () => access.addProject(by, "Web", home),
      () => access.removeMember(by, by.user.id, home),
    ]) {
      await expect(attempt()).rejects.toMatchObject(denied);
    }
  });

  it("keeps its last admin, also where two take each other's role at once", async () => {
    const self = admin.by.user.id;
    const last = { code: "CONFLICT_ERROR", message: expect.stringContaining("last admin") };
    await expect(access.setRole(admin.by, self, "member", home)).rejects.toMatchObject(last);
    await expect(access.removeMember(admin.by, self, home)).rejects.toMatchObject(last);
    const other = await join(access, admin.by, bob, "admin");
    const elsewhere = openAccess(place, clock).access;
    const answers = await Promise.allSettled([
      access.setRole(admin.by, other.by.user.id, "viewer", home),
      elsewhere.removeMember(other.by, self, home),
    ]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [survivor] = [admin.by, other.by].filter(
      (by) => by.user.id === (answers[0].status === "fulfilled" ? self : other.by.user.id),
    );
    const roles = (await access.members(survivor ?? admin.by)).map(({ role }) => role);
    expect(roles.filter((role) => role === "admin")).toHaveLength(1);
  });

  it("refuses one who was an admin when the request came in", async () => {
    const other = await join(access, admin.by, bob, "admin");
    await access.setRole(admin.by, other.by.user.id, "member", home);
    const denied = { code: "PERMISSION_DENIED" };
    await expect(access.invite(other.by, { role: "admin" }, home)).rejects.toMatchObject(denied);
    await expect(access.setRole(other.by, other.by.user.id, "admin", home)).rejects.toMatchObject(denied);
    await expect(access.addProject(other.by, "Web", home)).rejects.toMatchObject(denied);
  });

  it("names projects once", async () => {
    const web = await access.addProject(admin.by, " Web ", home);
    expect(await access.projects(admin.by)).toEqual([{ ...web, name: "Web" }]);
    await expect(access.addProject(admin.by, "Web", home)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await expect(access.addProject(admin.by, "\u0000", home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("K05: sees and changes nothing of another team, which answers as what is not there", async () => {
    const beta = await access.addTeam(admin.by, "Acme", home);
    expect(beta.slug).toBe("acme-2");
    const inBeta = await login(access, ada, beta.id);
    const stranger = await join(access, inBeta.by, bob, "admin");
    const member = await join(access, admin.by, carol, "member");
    const project = await access.addProject(admin.by, "Web", home);
    const invited = await access.invite(admin.by, { role: "member" }, home);
    const token = await access.createToken(member.by, { name: "CI", scopes: ["tickets:read"], days: 1 }, home);

    expect(await access.authenticate(stranger.pair.accessToken, admin.by.team.id)).toBeUndefined();
    expect(await access.authenticate(stranger.pair.accessToken, missing)).toBeUndefined();
    expect(await access.authenticate(token.secret, beta.id)).toBeUndefined();
    expect(JSON.stringify(await access.projects(stranger.by))).not.toContain(project.id);
    expect(JSON.stringify(await access.invitations(stranger.by))).not.toContain(invited.id);
    expect(JSON.stringify(await access.tokens(stranger.by))).not.toContain(token.id);
    expect(JSON.stringify(await access.members(stranger.by))).not.toContain(carol.email);
    expect(JSON.stringify(await access.audit(stranger.by, 1000))).not.toContain(carol.email);

    const bodyOf = (work: Promise<unknown>, id: string) =>
      work.then(
        () => "nothing was wrong",
        (error) => JSON.stringify(error.toBody()).replaceAll(id, "ID"),
      );
    for (const [attempt, id] of [
      [(it: string) => access.setRole(stranger.by, it, "viewer", home), member.by.user.id],
      [(it: string) => access.removeMember(stranger.by, it, home), member.by.user.id],
      [(it: string) => access.revokeToken(stranger.by, it, home), token.id],
      [(it: string) => access.withdrawInvitation(stranger.by, it, home), invited.id],
    ] as const) {
      const foreign = await bodyOf(attempt(id), id);
      expect(foreign).toContain("NOT_FOUND");
      expect(foreign).toBe(await bodyOf(attempt(missing), missing));
    }
    expect(await access.authenticate(token.secret, undefined)).toBeDefined();
    expect(await access.invitation(invited.code)).toBeDefined();
  });

  it("a person's sign-in speaks in each of their teams, a token made by name in its own only", async () => {
    const beta = await access.addTeam(admin.by, "Beta", home);
    expect(await access.authenticate(admin.pair.accessToken, beta.id)).toMatchObject({ team: beta, role: "admin" });
    expect(await access.authenticate(admin.pair.accessToken, "")).toMatchObject({ team: admin.by.team });
    const { secret } = await access.createToken(admin.by, { name: "x", scopes: ["tickets:read"], days: 1 }, home);
    expect(await access.authenticate(secret, beta.id)).toBeUndefined();
    for (const team of ["beta", "\u0000", "' or 1=1 --"]) {
      expect(await access.authenticate(admin.pair.accessToken, team)).toBeUndefined();
    }
  });

  it("whoever leaves one team stays in the other, without the tokens of the first", async () => {
    const beta = await access.addTeam(admin.by, "Beta", home);
    const inBeta = await login(access, ada, beta.id);
    const member = await join(access, admin.by, bob, "member");
    const { code } = await access.invite(inBeta.by, { role: "member" }, home);
    await access.accept(code, bob, home);
    await access.removeMember(admin.by, member.by.user.id, home);
    expect(await access.authenticate(member.pair.accessToken, beta.id)).toBeUndefined();
    expect(await access.session(member.cookie)).toBeDefined();
    expect((await login(access, bob)).by.team).toEqual(beta);
  });
});
