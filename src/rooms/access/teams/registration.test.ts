import { beforeEach, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { ada, bob, home, login, openAccess, type TestClock } from "../../../../test/harness/rooms/access.ts";
import type { Place } from "../../../platform/db/types.ts";
import type { Access } from "../service/access.ts";

describeOnEngines("setting up", (engine) => {
  let place: Place;
  let access: Access;
  let clock: TestClock;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ access, clock } = openAccess(place));
  });

  it("takes the newest start's code, until there is a user", async () => {
    const code = (await access.registration.setupCode()) ?? "";
    expect(code).toMatch(/^fgu_/);
    expect(await access.registration.setupCode()).toBe(code);
    const restarted = openAccess(place, clock).access;
    const anew = (await restarted.registration.setupCode()) ?? "";
    expect(anew).not.toBe(code);
    for (const wrong of [code, "", "fgu_", `${anew}x`]) {
      await expect(access.registration.setUp(wrong, ada, "Acme", home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    }
    const user = await access.registration.setUp(anew, ada, "Acme", home);
    expect(user).toMatchObject({ email: ada.email, displayName: "Ada" });
    expect(await access.registration.setupCode()).toBeUndefined();
    expect(await restarted.registration.setupCode()).toBeUndefined();
    await expect(access.registration.setUp(anew, bob, "Evil", home)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    expect((await login(access, ada)).by).toMatchObject({ role: "admin", team: { name: "Acme", slug: "acme" } });
  });

  it("makes one admin of many that use the link at once", async () => {
    const code = (await access.registration.setupCode()) ?? "";
    const other = openAccess(place, clock).access;
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? access : other).registration.setUp(code, { ...ada, email: `a${index}@example.com` }, "Acme", home),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("refuses what is no person or no team, and the link works after that", async () => {
    const code = (await access.registration.setupCode()) ?? "";
    for (const person of [
      { ...ada, email: "ada" },
      { ...ada, password: "short" },
      { ...ada, displayName: "\u0000" },
    ]) {
      await expect(access.registration.setUp(code, person, "Acme", home)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    await expect(access.registration.setUp(code, ada, " ", home)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await access.registration.setUp(code, ada, "Acme", home);
  });
});
