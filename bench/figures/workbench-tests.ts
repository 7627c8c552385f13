import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BenchClient } from "../client.ts";
import type { Effort } from "../effort.ts";
import { makeRepository } from "../repositories.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { elapsed } from "./cli.ts";

type Subject = { name: string; run(): Promise<unknown> };

const suites = 4;
const files = 1_000;

/** Each test waits a little, as if for a server or disk: about two seconds in total. */
const suite = `import assert from "node:assert";
import { test } from "node:test";
for (let index = 0; index < 10; index++)
  test("part " + index, async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(index, index);
  });
`;

/** A test run through Forge compared with the bare runner. */
export async function measureWorkbenchTests(
  { folder, env, servers, forge }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number> }> {
  const cwd = makeRepository(join(folder, "tested"), files, env);
  writeFileSync(join(cwd, "package.json"), '{"type": "module", "scripts": {"test": "node --test"}}\n');
  for (let index = 0; index < suites; index++) writeFileSync(join(cwd, `suite-${index}.test.js`), suite);
  execFileSync(process.execPath, [forge, "trust", "--yes"], { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  const client = new BenchClient({ ...servers.forge, cwd });
  const subjects: Subject[] = [
    { name: "forge", run: () => passed(client) },
    { name: "node --test", run: () => elapsed(["--test"], cwd, { ...env, CI: "1", NO_COLOR: "1" }) },
  ];
  try {
    await client.greet();
    for (const { run } of subjects) await run();
    const samples = await measureRounds(subjects, { count: effort.testRuns, random: effort.random }, time);
    const row = compare(samples, {
      id: "workbench-tests",
      what: `\`forge_run_tests\`, ${suites} files of node:test`,
      against: "node --test",
      unit: "ms",
      pick: (ms) => ms,
      goal: { kind: "target", atMost: 1.1 },
    });
    return { rows: [row], samples };
  } finally {
    await client.end();
  }
}

async function passed(client: BenchClient): Promise<void> {
  const { structuredContent } = Object(await client.call("forge_run_tests", {}));
  const { status, total_tests: total } = structuredContent.test_results;
  if (status !== "passed" || total !== suites * 10) throw new Error(`${total} tests: ${status}`);
}

async function time({ run }: Subject): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}
