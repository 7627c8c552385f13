import { describe, expect, test } from "vitest";
import { MemoryApp, run } from "../../../../test/harness/cli.ts";
import { trustState } from "../../../../test/harness/cli-person.ts";
import { ForgeError } from "../../../kernel/errors.ts";

function appWith(state = trustState(), answer: boolean | "nobody" = true): MemoryApp {
  const app = new MemoryApp();
  app.person.state = state;
  app.person.answer = answer === "nobody" ? undefined : answer;
  return app;
}

describe("trust", () => {
  test("shows exactly what may run, asks, and trusts what was shown", async () => {
    const app = appWith();
    const { code, out, err } = await run("trust", { app });
    expect(code).toBe(0);
    for (const shown of ["script:verify.sh", "verify.sh", "a".repeat(64), "sh -c vitest run", "b".repeat(64)]) {
      expect(err).toContain(shown);
    }
    expect(app.person.asked).toHaveLength(1);
    expect(app.person.deeds).toEqual([["giveTrust", app.person.state]]);
    expect(out).toContain("Trusted: /home/ada/shop");
  });

  test("a no changes nothing; neither does a place where nobody can be asked, which says what to do", async () => {
    const declined = appWith(trustState(), false);
    expect(await run("trust", { app: declined })).toMatchObject({ code: 1, out: "" });
    const alone = appWith(trustState(), "nobody");
    const { code, err } = await run("trust", { app: alone });
    expect({ code, deeds: [...declined.person.deeds, ...alone.person.deeds] }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain("Run `forge trust` in a terminal.");
  });

  test("--yes does not ask; what is trusted already is not asked for again", async () => {
    const app = appWith(trustState(), "nobody");
    const { out } = await run("trust --yes --json", { app });
    expect(JSON.parse(out)).toMatchObject({ trusted: true, items: [{ status: "trusted" }, { status: "trusted" }] });
    expect(app.person.deeds).toHaveLength(1);
    const trusted = appWith(trustState({ trusted: true, since: "2026-11-01T12:00:00.000Z", by: "ada", items: [] }));
    expect((await run("trust", { app: trusted })).code).toBe(0);
    expect([...app.person.asked, ...trusted.person.asked, ...trusted.person.deeds]).toEqual([]);
  });

  test("H14 a name cannot hide what it is", async () => {
    const items = [{ id: "hook:a\u202eb", runs: "x\u001b[2J\ny", sha256: "d".repeat(64), status: "new" as const }];
    const { err, out } = await run("trust", { app: appWith(trustState({ items })) });
    for (const hidden of ["\u202e", "\u001b"]) expect(err + out).not.toContain(hidden);
    expect(err).toContain("x\\x1b[2J\\ny");
  });
});

test("untrust", async () => {
  const app = appWith(trustState({ trusted: true, since: "2026-11-01T12:00:00.000Z", by: "ada" }));
  expect((await run("untrust", { app })).out).toBe("Not trusted any more.\n");
  expect(app.person.deeds).toEqual([["takeTrustBack"]]);
  expect(JSON.parse((await run("untrust --json")).out)).toEqual({ wasTrusted: false });
});

describe("status", () => {
  test("project, store, toolsets and trust, with what differs", async () => {
    const app = appWith(
      trustState({
        since: "2026-11-01T12:00:00.000Z",
        by: "ada",
        items: [{ id: "script:verify.sh", runs: "verify.sh", sha256: "a".repeat(64), status: "changed" }],
        gone: ["hook:pre-commit"],
        refused: [{ id: "hook:pre-push", runs: "x", why: "leads outside the project" }],
      }),
    );
    expect((await run("status", { app })).out).toMatchInlineSnapshot(`
      "Project:   /home/ada/shop
      Store:     SQLite, /home/ada/shop/.forge/forge.db (not made yet)
      Tickets:   https://forge.example, team Engines
      Toolsets:  tickets
      Trust:     changed since it was trusted on 2026-11-01 by ada: 1 differ
      What may run:
        changed  script:verify.sh
                 runs    verify.sh
                 sha256  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        gone     hook:pre-commit
        refused  hook:pre-push: leads outside the project
      "
    `);
  });

  test("as JSON; and what keeps trust from being known does not keep the rest", async () => {
    expect(JSON.parse((await run("status --json")).out)).toMatchObject({
      project: { root: "/home/ada/shop", store: { engine: "sqlite", exists: false } },
      toolsets: ["tickets"],
      trust: { trusted: false, items: [{ id: "script:verify.sh" }, { id: "package.json:test" }] },
    });
    const app = new MemoryApp();
    app.person.trust = async () => {
      throw new ForgeError("DEPENDENCY_ERROR", "git was not found.");
    };
    expect(await run("status", { app })).toMatchObject({ code: 0, out: expect.stringContaining("git was not found") });
  });
});
