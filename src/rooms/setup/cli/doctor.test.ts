import { describe, expect, test } from "vitest";
import { MemoryApp, run } from "../../../../test/harness/cli.ts";
import type { Finding } from "../doctor/index.ts";

const good: Finding = { id: "git", title: "git", state: "ok", message: "Version 2.39.", mend: [], fixable: false };
const loose: Finding = {
  id: "store-permissions",
  title: "Who may read the store",
  state: "warning",
  message: "Others.",
  mend: ["chmod go= x"],
  fixable: true,
};
const broken: Finding = {
  ...good,
  id: "store",
  title: "Store",
  state: "problem",
  message: "Bad\u001b[31m.",
  mend: ["Mend it."],
};

function appWith(...findings: Finding[]): MemoryApp {
  const app = new MemoryApp();
  app.findings = findings;
  return app;
}

describe("doctor", () => {
  test("problems, how to mend them, and exit code 1", async () => {
    const { out, err, code } = await run("doctor", { app: appWith(good, loose, broken) });
    expect({ err, code }).toEqual({ err: "", code: 1 });
    expect(out).toMatchInlineSnapshot(`
      "ok       git: Version 2.39.
      warning  Who may read the store: Others.
               chmod go= x
      problem  Store: Bad\\x1b[31m.
               Mend it.

      1 problem, 1 warning. \`forge doctor --fix\` mends 1 of them.
      "
    `);
  });

  test("warnings alone are exit code 0", async () => {
    expect(await run("doctor", { app: appWith(good, loose) })).toMatchObject({ code: 0 });
    expect((await run("doctor", { app: appWith(good) })).out).toContain("All is well.");
  });

  test("--fix is passed on, and what it did is said", async () => {
    const app = appWith({ ...loose, state: "ok", mend: [], fixable: false, fixed: "Closed x." });
    const { out } = await run("doctor --fix", { app });
    expect(app.calls).toEqual([["doctor", true]]);
    expect(out).toContain("fixed: Closed x.");
  });

  test("as data", async () => {
    const { out, code } = await run("doctor --json", { app: appWith(broken) });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual([broken]);
  });

  test("it runs whatever the settings are: that is what it is for", async () => {
    const settingsFile = { path: "/home/ada/.forge/settings.json", text: "{ not json" };
    const ran = await run("doctor", { app: appWith(good), settingsFile, env: { FORGE_LOG: "loud" } });
    expect(ran).toMatchObject({ code: 0, err: "" });
  });
});

describe("update-check", () => {
  test("asks the registry that was named, and says what it said", async () => {
    const app = new MemoryApp();
    expect((await run("update-check", { app })).out).toBe("Forge 1.2.3 is the newest version.\n");
    app.newest = { newest: "2.0.0", isNewer: true };
    const { out, code } = await run("update-check --registry https://npm.example.org", { app });
    expect(code).toBe(0);
    expect(out).toContain("Forge 2.0.0 has been published; this is 1.2.3.");
    expect(app.calls).toEqual([
      ["newestVersion", undefined],
      ["newestVersion", "https://npm.example.org"],
    ]);
    expect(JSON.parse((await run("update-check --json", { app })).out)).toEqual({
      version: "1.2.3",
      newest: "2.0.0",
      isNewer: true,
    });
  });
});
