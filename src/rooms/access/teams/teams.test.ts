import { beforeEach, expect, it } from "vitest";
import {
  ada,
  bob,
  home,
  join,
  openAccess,
  type SignedInPerson,
  setUp,
  type TestClock,
} from "../../../../test/harness/access.ts";
import { describeOnEngines } from "../../../../test/harness/store.ts";
import type { Place } from "../../../platform/db/types.ts";
import { allScopes } from "../model/roles.ts";
import type { LocalAccess } from "../service/access.ts";
import type { Team } from "../service/ports.ts";

describeOnEngines("several teams on one server", (engine) => {
  let access: LocalAccess;
  let admin: SignedInPerson;
  let beta: Team;
  beforeEach(async () => {
    ({ access } = openAccess(await engine.fresh()));
    admin = await setUp(access);
    beta = await access.addTeam(admin.by, "Beta", home);
  });

  const named = async () => {
    const { secret } = await access.createToken(admin.by, { name: "CI", scopes: allScopes, days: 1 }, home);
    const by = await access.authenticate(secret, undefined);
    if (!by) throw new Error("a fresh token speaks for nobody");
    return by;
  };

  it("are listed for their person, and to a token only its own", async () => {
    const list = [
      { ...admin.by.team, role: "admin" },
      { ...beta, role: "admin" },
    ];
    const slugs = (teams: Team[]) => teams.map(({ slug }) => slug).sort();
    expect(slugs(await access.teams(admin.by))).toEqual(slugs(list as Team[]));
    expect(slugs(await access.sessionTeams(admin.cookie))).toEqual(["acme", "beta"]);
    expect(await access.sessionTeams("nobody's")).toEqual([]);
    expect(await access.teams(await named())).toEqual([list[0]]);
  });

  const teamOf = async (wished: string | undefined, chosen: string | undefined) => {
    const { deviceCode, userCode } = await access.requestDevice("forge", home, wished);
    expect((await access.waitingDevice(userCode, home))?.team).toBe(wished);
    await access.decideDevice(admin.cookie, userCode, "approve", home, chosen);
    const answer = await access.redeemDevice(deviceCode, home);
    return "refusal" in answer ? answer.refusal : answer.team.slug;
  };

  it("are each one's to sign a device in to: the chosen one, else the one it asks for", async () => {
    expect(await teamOf("beta", undefined)).toBe("beta");
    expect(await teamOf("acme", undefined)).toBe("acme");
    expect(await teamOf("acme", beta.id)).toBe("beta");
    expect(await teamOf(undefined, beta.id)).toBe("beta");
  });

  it("a device is not signed in to one that its person is not in", async () => {
    const member = await join(access, admin.by, bob, "member");
    const { deviceCode, userCode } = await access.requestDevice("forge", home, "beta");
    for (const team of [undefined, beta.id, "nonsense", ""]) {
      const decided = access.decideDevice(member.cookie, userCode, "approve", home, team);
      await expect(decided).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    }
    expect(await access.redeemDevice(deviceCode, home)).toMatchObject({ refusal: "authorization_pending" });
    await access.decideDevice(member.cookie, userCode, "deny", home);
    expect(await access.redeemDevice(deviceCode, home)).toEqual({ refusal: "access_denied" });
  });

  it("L8: a token made by name cannot invite, change roles, make teams or links for passwords", async () => {
    const member = await join(access, admin.by, bob, "member");
    const by = await named();
    for (const attempt of [
      () => access.invite(by, { role: "admin" }, home),
      () => access.setRole(by, member.by.user.id, "admin", home),
      () => access.resetLink(by, member.by.user.id, home),
      () => access.addTeam(by, "Gamma", home),
      () => access.createToken(by, { name: "Another", scopes: allScopes, days: 1 }, home),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
        message: expect.stringContaining("person's own sign-in"),
      });
    }
  });

  it("projects are renamed and removed, and no two have one name", async () => {
    const web = await access.addProject(admin.by, "Web", home);
    const shop = await access.addProject(admin.by, "Shop", home);
    expect(await access.renameProject(admin.by, web.id, "Site", home)).toEqual({ ...web, name: "Site" });
    expect(await access.renameProject(admin.by, web.id, "Site", home)).toMatchObject({ name: "Site" });
    await expect(access.renameProject(admin.by, web.id, "Shop", home)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
    });
    await access.removeProject(admin.by, shop.id, home);
    expect(await access.projects(admin.by)).toMatchObject([{ name: "Site" }]);
    await expect(access.removeProject(admin.by, shop.id, home)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { entries } = await access.audit(admin.by, 2);
    expect(entries.map(({ action }) => action)).toEqual(["project.renamed", "project.removed"]);
  });
});

describeOnEngines("starts of one server", (engine) => {
  let place: Place;
  let access: LocalAccess;
  let clock: TestClock;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access, clock } = openAccess(place));
  });

  it("L6: of several on one empty database the last one's link works, and older ones say that there is a newer", async () => {
    const codes = [await access.setupCode()];
    for (let starts = 0; starts < 2; starts++) codes.push(await openAccess(place, clock).access.setupCode());
    const [first = "", second = "", last = ""] = codes;
    const newer = { code: "AUTH_FAILED", message: expect.stringContaining("newer setup link") };
    const unknown = { code: "AUTH_FAILED", message: expect.stringContaining("no longer, valid") };
    for (const code of [first, second])
      await expect(access.setUp(code, ada, "Acme", home)).rejects.toMatchObject(newer);
    await expect(access.setUp(`${last}x`, ada, "Acme", home)).rejects.toMatchObject(unknown);
    await access.setUp(last, ada, "Acme", home);
    await expect(access.setUp(first, bob, "Evil", home)).rejects.toMatchObject(unknown);
  });

  it("L1: the failure that locks an account says for how long", async () => {
    await setUp(access);
    const fail = () => access.signIn(ada.email, "wrong password", home).catch((error: unknown) => error);
    for (let tries = 0; tries < 4; tries++) expect(await fail()).not.toHaveProperty("details.retryAfterSeconds");
    for (let tries = 0; tries < 2; tries++) expect(await fail()).toHaveProperty("details.retryAfterSeconds", 30);
  });
});
