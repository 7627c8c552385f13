/**
 * Changes the source in one place at a time and checks whether a test fails: `npm run mutants`. A change that no test
 * notices (a survivor) is a rule without a test, or code that does nothing.
 *
 *   npm run mutants                         12 changes on lines that differ from main
 *   npm run mutants -- --since HEAD~5       on lines that differ from there
 *   npm run mutants -- --in src/commons     anywhere in these folders
 *   npm run mutants -- --count 40 --seed 7
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { type Mutant, mutantsOf } from "./mutations.ts";
import { programFile } from "./program-file.ts";

const { values } = parseArgs({
  options: {
    since: { type: "string", default: "main" },
    in: { type: "string", multiple: true },
    count: { type: "string", default: "12" },
    seed: { type: "string", default: "1" },
  },
});
/** The tests of one folder end in seconds; all that reach a file can take minutes. */
const ownTestsMs = 180_000;
const allTestsMs = 600_000;

/** Unclear: the tests did not end in time. */
type Outcome = "noticed" | "SURVIVED" | "unclear";

const candidates = (values.in ? filesIn(values.in) : changedFiles(values.since)).flatMap(({ path, lines }) =>
  mutantsOf(readFileSync(path, "utf8")).flatMap((mutant) => (isOn(lines, mutant.line) ? [{ path, ...mutant }] : [])),
);
const chosen = shuffled(candidates, Number(values.seed)).slice(0, Number(values.count));
console.log(`${candidates.length} places to change, ${chosen.length} to try.`);
const counts: Record<Outcome, number> = { noticed: 0, SURVIVED: 0, unclear: 0 };
/** An interrupted run, too, leaves the source as it was. */
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
for (const [index, mutant] of chosen.entries()) {
  const outcome = await outcomeOf(mutant);
  if (interruption.signal.aborted) break;
  counts[outcome]++;
  const place = `${mutant.path}:${mutant.line}`;
  console.log(`${index + 1}/${chosen.length} ${outcome.padEnd(8)} ${place}  ${mutant.from} → ${mutant.to}`);
}
const tried = counts.noticed + counts.SURVIVED + counts.unclear;
console.log(`${counts.SURVIVED} of ${tried} survived${counts.unclear > 0 ? `, ${counts.unclear} unclear` : ""}.`);

type Place = Mutant & { path: string };

/** Runs the tests of the file's own folder, which are few, and if none fails all tests that reach the file. */
async function outcomeOf({ path, start, end, to }: Place): Promise<Outcome> {
  const before = readFileSync(path, "utf8");
  try {
    writeFileSync(path, before.slice(0, start) + to + before.slice(end));
    const own = await runTests(ownTestsMs, "run", dirname(path), "--passWithNoTests");
    return own === "SURVIVED" ? await runTests(allTestsMs, "related", "--run", path) : own;
  } finally {
    writeFileSync(path, before);
  }
}

/** Stops at the first test that fails. */
function runTests(timeoutMs: number, ...args: string[]): Promise<Outcome> {
  const signal = AbortSignal.any([interruption.signal, AbortSignal.timeout(timeoutMs)]);
  const vitest = [programFile("vitest"), ...args, "--bail=1", "--reporter=dot"];
  const child = spawn(process.execPath, vitest, { signal, stdio: "ignore" });
  return new Promise((resolve, reject) => {
    // Not only when it has ended, which takes a while: the source must be as it was before that.
    child.on("error", (error) => (signal.aborted ? resolve("unclear") : reject(error)));
    child.on("close", (code) => resolve(code === null ? "unclear" : code === 0 ? "SURVIVED" : "noticed"));
  });
}

type Changed = { path: string; lines: Set<number> | undefined };

function filesIn(folders: string[]): Changed[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .map((file) => ({ path: join(folder, file), lines: undefined })),
  );
}

/** Source files with the lines that are new since a revision. */
function changedFiles(since: string): Changed[] {
  const diff = execFileSync("git", ["diff", "--unified=0", "--no-color", since, "--", "src"], {
    encoding: "utf8",
    maxBuffer: 256 * 1_048_576,
  });
  const files: Changed[] = [];
  for (const line of diff.split("\n")) {
    const path = /^\+\+\+ b\/(.*)$/.exec(line)?.[1];
    if (path !== undefined) files.push({ path: relative(".", path), lines: new Set() });
    const [, first, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    for (let n = 0; first !== undefined && n < Number(count); n++) files.at(-1)?.lines?.add(Number(first) + n);
  }
  return files.filter((file) => /(?<!\.test)\.ts$/.test(file.path) && existsSync(file.path));
}

function isOn(lines: Set<number> | undefined, line: number): boolean {
  return lines === undefined || lines.has(line);
}

/** The same order for the same seed. */
function shuffled<T>(items: T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
