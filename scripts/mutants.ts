/**
 * Changes the source in one place at a time and checks whether a test fails: `npm run mutants`. A change that no test
 * notices (a survivor) is a rule without a test, or code that does nothing.
 *
 *   npm run mutants                         12 changes on lines that differ from main
 *   npm run mutants -- --since HEAD~5       on lines that differ from there
 *   npm run mutants -- --in src/commons     anywhere in these folders
 *   npm run mutants -- --count 40 --seed 7
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
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
const timeoutMs = 180_000;

const candidates = (values.in ? filesIn(values.in) : changedFiles(values.since)).flatMap(({ path, lines }) =>
  mutantsOf(readFileSync(path, "utf8")).flatMap((mutant) => (isOn(lines, mutant.line) ? [{ path, ...mutant }] : [])),
);
const chosen = shuffled(candidates, Number(values.seed)).slice(0, Number(values.count));
console.log(`${candidates.length} places to change, ${chosen.length} tried.`);
const survivors = chosen.filter((mutant, index) => {
  const survives = survivesTests(mutant);
  const place = `${mutant.path}:${mutant.line}`;
  console.log(
    `${index + 1}/${chosen.length} ${survives ? "SURVIVED" : "noticed "} ${place}  ${mutant.from} → ${mutant.to}`,
  );
  return survives;
});
console.log(`${survivors.length} of ${chosen.length} survived.`);

type Place = Mutant & { path: string };

/** Runs the tests that reach the file, stopping at the first that fails. */
function survivesTests({ path, start, end, to }: Place): boolean {
  const before = readFileSync(path, "utf8");
  try {
    writeFileSync(path, before.slice(0, start) + to + before.slice(end));
    const args = [programFile("vitest"), "related", "--run", "--bail=1", "--reporter=dot", path];
    const { status } = spawnSync(process.execPath, args, { timeout: timeoutMs, stdio: "ignore" });
    return status === 0;
  } finally {
    writeFileSync(path, before);
  }
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
