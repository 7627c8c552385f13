import { expect, test } from "vitest";
import { MemoryApp, run } from "../../../../test/harness/cli.ts";

const decided = (decision: string) => [["decide", "1f0c9a2e", "c".repeat(64), decision]];

function appThatAnswers(answer: boolean | undefined): MemoryApp {
  const app = new MemoryApp();
  app.person.answer = answer;
  return app;
}

test("lists what waits", async () => {
  const { out } = await run("approve");
  expect(out).toContain("1f0c9a2e");
  expect(out).toContain("claude-code (local:ada)");
  expect(out).toContain("Write docs/public.md");
  expect(JSON.parse((await run("approve --json")).out)).toMatchObject([{ id: "1f0c9a2e", sha256: "c".repeat(64) }]);
  const app = new MemoryApp();
  app.person.waiting = [];
  expect((await run("approve", { app })).out).toBe("Nothing waits.\n");
});

test("shows one, asks, and approves exactly what was shown", async () => {
  const app = appThatAnswers(true);
  const { code, err } = await run("approve 1f0c9a2e", { app });
  expect({ code, deeds: app.person.deeds }).toEqual({ code: 0, deeds: decided("approved") });
  for (const shown of ["claude-code", "Write docs/public.md", "file:docs/public.md", "c".repeat(64)]) {
    expect(err).toContain(shown);
  }
});

test.each([
  ["approve 1f0c9a2e", false],
  ["approve 1f0c9a2e", undefined],
  ["approve 00000000", true],
  ["approve 00000000 --deny", true],
])("%s decides nothing where the answer is %s", async (line, answer) => {
  const app = appThatAnswers(answer);
  expect({ code: (await run(line, { app })).code, deeds: app.person.deeds }).toEqual({ code: 1, deeds: [] });
});

test.each([
  ["approve 1f0c9a2e --yes", "approved"],
  ["approve 1f0c9a2e --deny", "denied"],
])("%s does not ask", async (line, decision) => {
  const app = appThatAnswers(undefined);
  expect((await run(line, { app })).code).toBe(0);
  expect(app.person).toMatchObject({ asked: [], deeds: decided(decision) });
});
