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
import type { Role, SignedIn } from "../../../commons/people.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { Access } from "../service/access.ts";

const carol = { email: "carol@example.com", displayName: "Carol", password: "third password" };
const missing = "3f0c1f5e-1111-4222-8333-444455556666";

const reads = ["tickets:read", "registry:read", "governance:read", "activity:read", "access:read"];
const writes = ["tickets:write", "registry:write", "governance:write", "activity:write"];

describeOnEngines("a team", (engine) => {
  let place: Place;
  let access: Access;
  let clock: TestClock;
  let admin: SignedInPerson;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access, clock } = openAccess(place));
    admin = await setUp(access);
  });

  it("grows by invitations, each of which works once within seven days", async () => {
    const { code, id, expiresAt } = await access.invitations.create(
      admin.by,
      { role: "member", email: " Bob@Example.com" },
      home,
    );
    expect(expiresAt).toBe("2026-02-07T12:00:00.000Z");
    expect(await access.invitations.list(admin.by)).toEqual([{ id, role: "member", email: bob.email, expiresAt }]);
    expect(await access.invitations.get(code)).toEqual({ team: admin.by.team, role: "member", email: bob.email });
    await expect(access.registration.accept(code, carol, home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const user = await access.registration.accept(code, bob, home);
    expect((await access.members.list(admin.by)).at(-1)).toEqual({
      user,
      role: "member",
      joinedAt: "2026-01-31T12:00:00.000Z",
    });
    await expect(access.registration.accept(code, carol, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    expect(await access.invitations.get(code)).toBeUndefined();
    expect(await access.invitations.list(admin.by)).toEqual([]);
    const late = await access.invitations.create(admin.by, { role: "member" }, home);
    clock.pass(7 * 86_400);
    expect(await access.invitations.get(late.code)).toBeUndefined();
    await expect(access.registration.accept(late.code, carol, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
  });

  it("takes one of many who accept an invitation at once", async () => {
    const { code } = await access.invitations.create(admin.by, { role: "viewer" }, home);
    const servers = [access, openAccess(place, clock).access];
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        (servers[index % 2] ?? access).registration.accept(code, { ...bob, email: `b${index}@example.com` }, home),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await access.members.list(admin.by)).toHaveLength(2);
  });

  it("does not let in with an invitation that was withdrawn", async () => {
    const { code, id } = await access.invitations.create(admin.by, { role: "admin" }, home);
    await access.invitations.withdraw(admin.by, id, home);
    await expect(access.registration.accept(code, bob, home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    for (const gone of [id, missing, "x", "\u0000"]) {
      await expect(access.invitations.withdraw(admin.by, gone, home)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("takes one who has an account with that account's password only, and counts the failures", async () => {
    const second = await access.teams.create(admin.by, "Beta", home);
    const inSecond = await login(access, ada, second.id);
    await join(access, admin.by, bob, "member");
    const { code } = await access.invitations.create(inSecond.by, { role: "viewer" }, home);
    for (let tries = 0; tries < 5; tries++) {
      await expect(
        access.registration.accept(code, { ...bob, password: "wrong password" }, home),
      ).rejects.toMatchObject({
        message: "Wrong email or password.",
      });
    }
    expect(clock.waits).toEqual([]);
    const user = await access.registration.accept(code, { ...bob, displayName: "Robert" }, home);
    expect(clock.waits).toEqual([1]);
    expect(user.displayName).toBe("Bob");
    const again = await access.invitations.create(inSecond.by, { role: "admin" }, home);
    await expect(access.registration.accept(again.code, bob, home)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect((await login(access, bob, second.id)).by).toMatchObject({ role: "viewer", team: { slug: "beta" } });
  });

  it.each<[Role, readonly string[]]>([
    ["viewer", reads],
    ["member", [...reads, ...writes]],
    ["admin", [...reads, ...writes, "access:write"]],
  ])("a %s may do what the role allows, and nothing else", async (role, scopes) => {
    const { by } = await join(access, admin.by, bob, role);
    expect(by.scopes).toEqual(scopes);
    const { id } = await access.invitations.create(admin.by, { role: "viewer" }, home);
    const allowed = async (work: Promise<unknown>) => {
      try {
        await work;
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: "PERMISSION_DENIED" });
        return false;
      }
    };
    expect(await allowed(access.members.list(by))).toBe(true);
    expect(await allowed(access.projects.list(by))).toBe(true);
    expect(await allowed(access.tokens.list(by))).toBe(true);
    expect(await allowed(access.tokens.create(by, { name: "x", scopes: ["tickets:read"], days: 1 }, home))).toBe(true);
    const isAdmin = role === "admin";
    expect(await allowed(access.audit.list(by, 10))).toBe(isAdmin);
    expect(await allowed(access.invitations.list(by))).toBe(isAdmin);
    expect(await allowed(access.invitations.create(by, { role: "admin" }, home))).toBe(isAdmin);
    expect(await allowed(access.invitations.withdraw(by, id, home))).toBe(isAdmin);
    expect(await allowed(access.projects.add(by, "Web", home))).toBe(isAdmin);
    expect(await allowed(access.teams.create(by, "Beta", home))).toBe(isAdmin);
    expect(await allowed(access.members.setRole(by, by.user.id, "admin", home))).toBe(isAdmin);
    expect(await allowed(access.members.remove(by, admin.by.user.id, home))).toBe(isAdmin);
    expect(await access.members.list(by)).toHaveLength(isAdmin ? 1 : 2);
  });

  it("an admin's token without the scope is no admin's", async () => {
    const { secret } = await access.tokens.create(admin.by, { name: "x", scopes: ["tickets:read"], days: 1 }, home);
    const by = (await access.tokens.authenticate(secret, undefined)) as SignedIn;
    const denied = { code: "PERMISSION_DENIED" };
    for (const attempt of [
      () => access.members.list(by),
      () => access.projects.list(by),
      () => access.tokens.list(by),
      () => access.audit.list(by, 10),
      () => access.invitations.list(by),
      () => access.invitations.create(by, { role: "admin" }, home),
      () => access.projects.add(by, "Web", home),
      () => access.members.remove(by, by.user.id, home),
    ]) {
      await expect(attempt()).rejects.toMatchObject(denied);
    }
  });

  it("keeps its last admin, also where two take each other's role at once", async () => {
    const self = admin.by.user.id;
    const last = { code: "CONFLICT_ERROR", message: expect.stringContaining("last admin") };
    await expect(access.members.setRole(admin.by, self, "member", home)).rejects.toMatchObject(last);
    await expect(access.members.remove(admin.by, self, home)).rejects.toMatchObject(last);
    const other = await join(access, admin.by, bob, "admin");
    const elsewhere = openAccess(place, clock).access;
    const answers = await Promise.allSettled([
      access.members.setRole(admin.by, other.by.user.id, "viewer", home),
      elsewhere.members.remove(other.by, self, home),
    ]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [survivor] = [admin.by, other.by].filter(
      (by) => by.user.id === (answers[0].status === "fulfilled" ? self : other.by.user.id),
    );
    const roles = (await access.members.list(survivor ?? admin.by)).map(({ role }) => role);
    expect(roles.filter((role) => role === "admin")).toHaveLength(1);
  });

  it("refuses one who was an admin when the request came in", async () => {
    const other = await join(access, admin.by, bob, "admin");
    await access.members.setRole(admin.by, other.by.user.id, "member", home);
    const denied = { code: "PERMISSION_DENIED" };
    await expect(access.invitations.create(other.by, { role: "admin" }, home)).rejects.toMatchObject(denied);
    await expect(access.members.setRole(other.by, other.by.user.id, "admin", home)).rejects.toMatchObject(denied);
    await expect(access.projects.add(other.by, "Web", home)).rejects.toMatchObject(denied);
  });

  it("names projects once", async () => {
    const web = await access.projects.add(admin.by, " Web ", home);
    expect(await access.projects.list(admin.by)).toEqual([{ ...web, name: "Web" }]);
    await expect(access.projects.add(admin.by, "Web", home)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await expect(access.projects.add(admin.by, "\u0000", home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("K05: sees and changes nothing of another team, which answers as what is not there", async () => {
    const beta = await access.teams.create(admin.by, "Acme", home);
    expect(beta.slug).toBe("acme-2");
    const inBeta = await login(access, ada, beta.id);
    const stranger = await join(access, inBeta.by, bob, "admin");
    const member = await join(access, admin.by, carol, "member");
    const project = await access.projects.add(admin.by, "Web", home);
    const invited = await access.invitations.create(admin.by, { role: "member" }, home);
    const token = await access.tokens.create(member.by, { name: "CI", scopes: ["tickets:read"], days: 1 }, home);

    expect(await access.tokens.authenticate(stranger.pair.accessToken, admin.by.team.id)).toBeUndefined();
    expect(await access.tokens.authenticate(stranger.pair.accessToken, missing)).toBeUndefined();
    expect(await access.tokens.authenticate(token.secret, beta.id)).toBeUndefined();
    expect(JSON.stringify(await access.projects.list(stranger.by))).not.toContain(project.id);
    expect(JSON.stringify(await access.invitations.list(stranger.by))).not.toContain(invited.id);
    expect(JSON.stringify(await access.tokens.list(stranger.by))).not.toContain(token.id);
    expect(JSON.stringify(await access.members.list(stranger.by))).not.toContain(carol.email);
    expect(JSON.stringify(await access.audit.list(stranger.by, 1000))).not.toContain(carol.email);

    const bodyOf = (work: Promise<unknown>, id: string) =>
      work.then(
        () => "nothing was wrong",
        (error) => JSON.stringify(error.toBody()).replaceAll(id, "ID"),
      );
    for (const [attempt, id] of [
      [(it: string) => access.members.setRole(stranger.by, it, "viewer", home), member.by.user.id],
      [(it: string) => access.members.remove(stranger.by, it, home), member.by.user.id],
      [(it: string) => access.tokens.revoke(stranger.by, it, home), token.id],
      [(it: string) => access.invitations.withdraw(stranger.by, it, home), invited.id],
    ] as const) {
      const foreign = await bodyOf(attempt(id), id);
      expect(foreign).toContain("NOT_FOUND");
      expect(foreign).toBe(await bodyOf(attempt(missing), missing));
    }
    expect(await access.tokens.authenticate(token.secret, undefined)).toBeDefined();
    expect(await access.invitations.get(invited.code)).toBeDefined();
  });

  it("a person's sign-in speaks in each of their teams, a token made by name in its own only", async () => {
    const beta = await access.teams.create(admin.by, "Beta", home);
    expect(await access.tokens.authenticate(admin.pair.accessToken, beta.id)).toMatchObject({
      team: beta,
      role: "admin",
    });
    expect(await access.tokens.authenticate(admin.pair.accessToken, "")).toMatchObject({ team: admin.by.team });
    const { secret } = await access.tokens.create(admin.by, { name: "x", scopes: ["tickets:read"], days: 1 }, home);
    expect(await access.tokens.authenticate(secret, beta.id)).toBeUndefined();
    for (const team of ["beta", "\u0000", "' or 1=1 --"]) {
      expect(await access.tokens.authenticate(admin.pair.accessToken, team)).toBeUndefined();
    }
  });

  it("whoever leaves one team stays in the other, without the tokens of the first", async () => {
    const beta = await access.teams.create(admin.by, "Beta", home);
    const inBeta = await login(access, ada, beta.id);
    const member = await join(access, admin.by, bob, "member");
    const { code } = await access.invitations.create(inBeta.by, { role: "member" }, home);
    await access.registration.accept(code, bob, home);
    await access.members.remove(admin.by, member.by.user.id, home);
    expect(await access.tokens.authenticate(member.pair.accessToken, beta.id)).toBeUndefined();
    expect(await access.sessions.get(member.cookie)).toBeDefined();
    expect((await login(access, bob)).by.team).toEqual(beta);
  });
});
