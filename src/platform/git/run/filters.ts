import { ForgeError } from "../../../kernel/errors.ts";
import { fromRecords, listNames, type RawName, textOf } from "../names/raw-names.ts";
import type { GitRunner } from "./runner.ts";
import { withScratch } from "./scratch.ts";

/** What git says of a file that has no filter. */
const unfiltered = new Set(["unspecified", "unset", "set"]);

/** Those of these names that a filter converts, by the attributes in the work tree. */
export function findFiltered(runner: GitRunner, names: readonly RawName[], signal: AbortSignal): Promise<RawName[]> {
  return queryAttributes(runner, names, [], { signal });
}

/** The same by the attributes in a commit or tree, for files that are to be written from it. */
function findFilteredIn(runner: GitRunner, tree: string, names: readonly RawName[], signal: AbortSignal) {
  return withScratch(runner, "fresh", async ({ index: environment }) => {
    await runner.must("read-tree", [tree], { signal, environment });
    return queryAttributes(runner, names, ["--cached"], { signal, environment });
  });
}

async function queryAttributes(
  runner: GitRunner,
  names: readonly RawName[],
  flags: string[],
  options: { signal: AbortSignal; environment?: Record<string, string> },
): Promise<RawName[]> {
  if (names.length === 0) return [];
  const args = ["-z", "--stdin", ...flags, "filter"];
  const answers = await runner.records("check-attr", args, { ...options, input: fromRecords(names) });
  return answers.filter((_, at) => at % 3 === 0 && !unfiltered.has(answers[at + 2] ?? "unspecified"));
}

/** Throws if an untrusted repository has filters on files to be committed: they would be committed unconverted. */
export async function requireUnfiltered(runner: GitRunner, names: readonly RawName[], signal: AbortSignal) {
  if (runner.trust === "trusted") return;
  const filtered = await findFiltered(runner, names, signal);
  if (filtered.length > 0) throw trustNeeded(runner, filtered, "committed");
}

/** The same for files that are to be written to a work tree. */
export async function requireUnfilteredIn(
  runner: GitRunner,
  tree: string,
  names: readonly RawName[],
  signal: AbortSignal,
): Promise<void> {
  if (runner.trust === "trusted" || names.length === 0) return;
  const filtered = await findFilteredIn(runner, tree, names, signal);
  if (filtered.length > 0) throw trustNeeded(runner, filtered, "written");
}

function trustNeeded({ workTree }: GitRunner, names: readonly RawName[], what: string): ForgeError {
  const files = names.map(textOf);
  return new ForgeError(
    "TRUST_REQUIRED",
    `${workTree} is not trusted, so its filters do not run. Without them these files cannot be ${what}: ${listNames(files)}.`,
    {
      details: { workTree, files: files.slice(0, 100), total: files.length },
      next: [
        { command: "trust", why: "in the project's folder, to review what would run and allow it" },
        "Or leave these files out.",
      ],
    },
  );
}
