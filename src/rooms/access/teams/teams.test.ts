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
import type { Team } from "../../../commons/people.ts";
import type { Place } from "../../../platform/db/types.ts";
import { allScopes } from "../model/roles.ts";
import type { Access } from "../service/access.ts";

describeOnEngines("several teams on one server", (engine) => {
  let access: Access;
  let admin: SignedInPerson;
  let beta: Team;
  beforeEach(async () => {
    ({ access } = openAccess(await engine.fresh()));
    admin = await setUp(access);
    beta = await access.teams.create(admin.by, "Beta", home);
  });

  const named = async () => {
    const { secret } = await access.tokens.create(admin.by, { name: "CI", scopes: allScopes, days: 1 }, home);
    const by = await access.tokens.authenticate(secret, undefined);
    if (!by) throw new Error("a fresh token speaks for nobody");
    return by;
  };

  it("find their short names without trying all those of the same name", async () => {
    const slugs: string[] = [];
    for (let count = 0; count < 22; count++) slugs.push((await access.teams.create(admin.by, "Engines", home)).slug);
    expect(slugs.slice(0, 20)).toEqual([
      "engines",
      ...Array.from({ length: 19 }, (_, index) => `engines-${index + 2}`),
    ]);
    for (const slug of slugs.slice(20)) expect(slug).toMatch(/^engines-[0-9a-f]{8}$/);
  });

  it("are listed for their person, and to a token only its own", async () => {
    const list = [
      { ...admin.by.team, role: "admin" },
      { ...beta, role: "admin" },
    ];
    const slugs = (teams: Team[]) => teams.map(({ slug }) => slug).sort();
    expect(slugs(await access.teams.list(admin.by))).toEqual(slugs(list as Team[]));
    expect(slugs(await access.sessions.teams(admin.cookie))).toEqual(["acme", "beta"]);
    expect(await access.sessions.teams("nobody's")).toEqual([]);
    expect(await access.teams.list(await named())).toEqual([list[0]]);
  });

  const teamOf = async (wished: string | undefined, chosen: string | undefined) => {
    const { deviceCode, userCode } = await access.devices.request("forge", home, wished);
    expect((await access.devices.findPending(userCode, admin.cookie))?.team).toBe(wished);
    await access.devices.decide(admin.cookie, userCode, "approve", home, chosen);
    const answer = await access.devices.redeem(deviceCode, home);
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
    const { deviceCode, userCode } = await access.devices.request("forge", home, "beta");
    for (const team of [undefined, beta.id, "nonsense", ""]) {
      const decided = access.devices.decide(member.cookie, userCode, "approve", home, team);
      await expect(decided).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    }
    expect(await access.devices.redeem(deviceCode, home)).toMatchObject({ refusal: "authorization_pending" });
    await access.devices.decide(member.cookie, userCode, "deny", home);
    expect(await access.devices.redeem(deviceCode, home)).toEqual({ refusal: "access_denied" });
  });

  it("L8: a token made by name cannot invite, change roles, make teams or links for passwords", async () => {
    const member = await join(access, admin.by, bob, "member");
    const by = await named();
    for (const attempt of [
      () => access.invitations.create(by, { role: "admin" }, home),
      () => access.members.setRole(by, member.by.user.id, "admin", home),
      () => access.recovery.createLink(by, member.by.user.id, home),
      () => access.teams.create(by, "Gamma", home),
      () => access.tokens.create(by, { name: "Another", scopes: allScopes, days: 1 }, home),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
        message: expect.stringContaining("API token cannot"),
      });
    }
  });

  it("projects are renamed and removed, and no two have one name", async () => {
    const web = await access.projects.add(admin.by, "Web", home);
    const shop = await access.projects.add(admin.by, "Shop", home);
    expect(await access.projects.rename(admin.by, web.id, "Site", home)).toEqual({ ...web, name: "Site" });
    expect(await access.projects.rename(admin.by, web.id, "Site", home)).toMatchObject({ name: "Site" });
    await expect(access.projects.rename(admin.by, web.id, "Shop", home)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
    });
    await access.projects.remove(admin.by, shop.id, home);
    expect(await access.projects.list(admin.by)).toMatchObject([{ name: "Site" }]);
    await expect(access.projects.remove(admin.by, shop.id, home)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { entries } = await access.audit.list(admin.by, 2);
    expect(entries.map(({ action }) => action)).toEqual(["project.renamed", "project.removed"]);
  });
});

describeOnEngines("starts of one server", (engine) => {
  let place: Place;
  let access: Access;
  let clock: TestClock;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access, clock } = openAccess(place));
  });

  it("L6: of several on one empty database the last one's link works, and older ones say that there is a newer", async () => {
    const codes = [await access.registration.setupCode()];
    for (let starts = 0; starts < 2; starts++)
      codes.push(await openAccess(place, clock).access.registration.setupCode());
    const [first = "", second = "", last = ""] = codes;
    const newer = { code: "AUTH_FAILED", message: expect.stringContaining("newer setup link") };
    const unknown = { code: "AUTH_FAILED", message: expect.stringContaining("not valid") };
    for (const code of [first, second])
      await expect(access.registration.setUp(code, ada, "Acme", home)).rejects.toMatchObject(newer);
    await expect(access.registration.setUp(`${last}x`, ada, "Acme", home)).rejects.toMatchObject(unknown);
    await access.registration.setUp(last, ada, "Acme", home);
    await expect(access.registration.setUp(first, bob, "Evil", home)).rejects.toMatchObject(unknown);
  });
});
