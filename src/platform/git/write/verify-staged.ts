import { ForgeError } from "../../../kernel/errors.ts";
import { fingerprintOf, readNamed, type SeenFile, seeNamed } from "../index/fingerprint.ts";
import { flaggedEntries, isHidden } from "../index/index-flags.ts";
import { exactText, listNames, type RawName, textOf } from "../names/raw-names.ts";
import { entryNamed } from "../read/entry-named.ts";
import { gitlink, type TreeEntry } from "../read/tree-entries.ts";
import { findFiltered } from "../run/filters.ts";
import type { GitRunner } from "../run/runner.ts";
import { isBehindLink } from "./commit-paths.ts";

/** Of what git converts, larger files are not converted again to compare them. */
const maxConvertedBytes = 64 * 1_048_576;

/**
 * Which of these files went into the index as something else than they are in the work tree. Git looks at a path and opens it
 * then: a program that swaps a folder for a link in between would have a file from elsewhere committed.
 */
export async function findMisread(
  runner: GitRunner,
  staged: ReadonlyMap<RawName, TreeEntry>,
  signal: AbortSignal,
): Promise<string[]> {
  const other: RawName[] = [];
  for (const { name, id, mode } of staged.values()) {
    if (mode === gitlink) continue;
    const { blob } = await seeNamed(runner, name, id.length);
    if (blob !== id) other.push(name);
  }
  // A filter that the user trusts need not give the same twice.
  const filtered = new Set(runner.trust === "trusted" ? await findFiltered(runner, other, signal) : []);
  const misread: string[] = [];
  for (const name of other) {
    if (filtered.has(name) || (await isConverted(runner, name, staged.get(name)?.id, signal))) continue;
    misread.push(textOf(name));
  }
  return misread;
}

/** Which of these files, which git has just written, are not in the work tree: a link may have led it elsewhere. */
export async function findMisplaced(
  runner: GitRunner,
  names: readonly RawName[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing = names.filter((name) => isBehindLink(runner, name) || !entryNamed(runner, name));
  if (missing.length === 0) return [];
  // A sparse checkout leaves files out.
  const hidden = new Set((await flaggedEntries(runner, signal)).filter(isHidden).map(({ name }) => name));
  return missing.filter((name) => !hidden.has(name)).map(textOf);
}

export function writtenElsewhere({ workTree }: GitRunner, done: "merged" | "switched", files: string[]): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Nothing was ${done}: while git wrote to ${workTree}, another program moved or replaced ${listNames(files)}.`,
    {
      details: { workTree, files: files.slice(0, 100) },
      next: [
        "If a folder there was replaced by a link, look for these files where the link led.",
        "Try again once no other program writes to the folder.",
      ],
    },
  );
}

/** Whether this is what git makes of the file: with other line ends, or in another encoding. */
async function isConverted(runner: GitRunner, name: RawName, id: string | undefined, signal: AbortSignal) {
  const bytes = readNamed(runner, name, maxConvertedBytes);
  if (bytes === "large") return true;
  const path = exactText(name);
  if (bytes === undefined || path === undefined) return false;
  const { code, stdout } = await runner.run("hash-object", ["--stdin", `--path=${path}`], { signal, input: bytes });
  return code === 0 && stdout.toString().trim() === id;
}

/** Which of these files went into the index as something else than was seen: somebody saved them in between. */
export async function findChangedSinceCheck(
  runner: GitRunner,
  staged: ReadonlyMap<RawName, TreeEntry>,
  seen: ReadonlyMap<string, SeenFile>,
): Promise<string[]> {
  const ids = new Map([...staged.values()].map(({ name, id }) => [textOf(name), id]));
  const changed: string[] = [];
  for (const [path, { print, blob }] of seen) {
    const id = ids.get(path);
    if (print === undefined || (id !== undefined && id === blob)) continue;
    // Of what git converts (line ends, filters) the id is another; that it is still what was seen is then all there is to know.
    const isSame = (id === undefined) === (print === "absent") && (await fingerprintOf(runner, path)) === print;
    if (!isSame) changed.push(path);
  }
  return changed;
}
