import { beforeEach, describe, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { ada, bob, home, join, openAccess, type SignedInPerson, setUp } from "../../../../test/harness/rooms/access.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { Access } from "../service/access.ts";
import { nameKey, requireName } from "./fields.ts";
import type { NewPerson } from "./model.ts";

const taken = { code: "CONFLICT_ERROR", message: expect.stringContaining("already") };

describe("names that read the same", () => {
  it.each([
    ["Ada", "ADA"],
    ["Ada  Byron", " Ada\u00a0Byron"],
    ["Ada", "\uff21da"],
    ["Jos\u00e9", "Jose\u0301"],
    ["Stra\u00dfe", "STRASSE"],
    ["Ada", "\u0410d\u0430"],
  ])("%s is %s", (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it.each(["A\u00adda", "A\u200bda", "A\u3164da", "Ada\u2800", "A\ufe0fda", "A\u034fda", "Ada\u{e0041}"])(
    "refuses what cannot be seen in %j",
    (name) => {
      expect(() => requireName("name", name)).toThrow("visible characters");
    },
  );

  it("takes a picture that is made of several", () => {
    for (const name of ["Ada 👩‍💻", "Ada ❤️", "Ada 👍🏽"]) expect(requireName("name", name)).toBe(name);
  });
});

describeOnEngines("names in a team", (engine) => {
  let place: Place;
  let access: Access;
  let admin: SignedInPerson;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access } = openAccess(place));
    admin = await setUp(access);
  });

  const invited = async (email?: string) =>
    (await access.invitations.create(admin.by, { role: "member", ...(email !== undefined && { email }) }, home)).code;
  const names = async (by = admin.by) => (await access.members.list(by)).map(({ user }) => user.displayName);

  it.each(["Ada", " aDA ", "\uff21da", "ada@example.com"])(
    "K07: refuses %j beside Ada, and the link stays good",
    async (name) => {
      const code = await invited();
      await expect(access.registration.accept(code, { ...bob, displayName: name }, home)).rejects.toMatchObject(taken);
      await access.registration.accept(code, bob, home);
      expect(await names()).toEqual(["Ada", "Bob"]);
    },
  );

  it("K07: of two who join at once with one name, one gets in", async () => {
    const other = openAccess(place).access;
    const people: NewPerson[] = ["one", "two"].map((name) => ({ ...bob, email: `${name}@example.com` }));
    const codes = [await invited(), await invited()];
    const answers = await Promise.allSettled(
      people.map((person, index) =>
        (index === 0 ? access : other).registration.accept(codes[index] ?? "", person, home),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find((answer) => answer.status === "rejected")?.reason).toMatchObject(taken);
    expect(await names()).toEqual(["Ada", "Bob"]);
  });

  it("K07: somebody with an account whose name is taken in another team goes by another one", async () => {
    await join(access, admin.by, bob, "member");
    const beta = await access.teams.create(admin.by, "Beta", home);
    const inBeta = await access.tokens.authenticate(admin.pair.accessToken, beta.id);
    if (!inBeta) throw new Error("not in the new team");
    await join(access, inBeta, { ...bob, email: "second@example.com" }, "member");
    const { code } = await access.invitations.create(inBeta, { role: "member" }, home);
    await expect(access.registration.accept(code, bob, home)).rejects.toMatchObject(taken);
    await expect(access.registration.accept(code, { ...bob, displayName: "Ada" }, home)).rejects.toMatchObject(taken);
    await access.registration.accept(code, { ...bob, displayName: "Bobby" }, home);
    expect(await names(inBeta)).toEqual(expect.arrayContaining(["Ada", "Bob", "Bobby"]));
    expect(await names()).toEqual(["Ada", "Bobby"]);
    // What Bobby wrote before still says Bob.
    const third = access.registration.accept(await invited(), { ...bob, email: "third@example.com" }, home);
    await expect(third).rejects.toMatchObject(taken);
  });

  it("K07: nobody takes the name or the address of a member who left, but they themselves", async () => {
    const left = await join(access, admin.by, bob, "member");
    await access.members.remove(admin.by, left.by.user.id, home);
    const code = await invited();
    for (const displayName of ["bob", bob.email])
      await expect(
        access.registration.accept(code, { ...bob, email: "other@example.com", displayName }, home),
      ).rejects.toMatchObject(taken);
    const email = "third@example.com";
    await invited(email);
    const identity = { issuer: "https://id.example", subject: "3", email, displayName: "Bob" };
    expect((await access.signIn.withIdentity(identity, home)).user.displayName).toBe("Bob (third)");
    await access.registration.accept(code, bob, home);
    expect((await names()).sort()).toEqual(["Ada", "Bob", "Bob (third)"]);
  });

  it("K07: a new name has no slash, which separates people from their assistants", async () => {
    const code = await invited();
    const joining = access.registration.accept(code, { ...bob, displayName: "Ada/forge" }, home);
    await expect(joining).rejects.toThrow("must not contain a slash");
    const email = "hedy@example.com";
    await invited(email);
    await access.signIn.withIdentity(
      { issuer: "https://id.example", subject: "h", email, displayName: "Ada/forge" },
      home,
    );
    expect((await names()).sort()).toEqual(["Ada", "Ada-forge"]);
  });

  it("K07: who comes by an OpenID provider with a taken name is told apart by their address", async () => {
    for (const [subject, displayName] of [
      ["grace", "Ada"],
      ["hedy", "A\u200bda"],
    ] as const) {
      const email = `${subject}@example.com`;
      await invited(email);
      await access.signIn.withIdentity({ issuer: "https://id.example", subject, email, displayName }, home);
    }
    expect((await names()).sort()).toEqual([ada.displayName, "Ada (grace)", "Ada (hedy)"]);
  });
});
