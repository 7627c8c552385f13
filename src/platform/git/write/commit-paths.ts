import { ForgeError } from "../../../kernel/errors.ts";
import { refusedPath, requireLiteralPath } from "../names/given-paths.ts";
import { type RawName, rawOf, rawOfShown } from "../names/raw-names.ts";
import { entryNamed } from "../read/entry-named.ts";
import { gitlink, indexEntries, treeEntries, untrackedNames } from "../read/tree-entries.ts";
import type { GitRunner } from "../run/runner.ts";

const maxPaths = 10_000;

/** What is to be committed: files as they are now, and files that are gone. */
export type CommitNames = { present: RawName[]; gone: RawName[] };

/** Reads a caller's paths. Throws where one is not a single file of this work tree that git would take. */
export async function commitNames(
  runner: GitRunner,
  paths: readonly string[],
  head: string | undefined,
  signal: AbortSignal,
): Promise<CommitNames> {
  if (paths.length === 0 || paths.length > maxPaths)
    throw new ForgeError(
      "VALIDATION_ERROR",
      `A commit can contain 1 to ${maxPaths} files; ${paths.length} were given.`,
      {
        details: { given: paths.length, most: maxPaths },
        next: ["Commit the files that belong together."],
      },
    );
  const known = await readKnownNames(runner, head, signal);
  const names = { present: new Set<RawName>(), gone: new Set<RawName>() };
  let untracked: Set<RawName> | undefined;
  for (const path of paths) {
    const name = nameOf(runner, requireLiteralPath(path), known);
    const state = stateOf(runner, name, known);
    if (state === "folder") throw refusedPath(path, "is a folder, not a file");
    if (state === "special") throw refusedPath(path, "is neither a file nor a link");
    if (state === "absent") throw refusedPath(path, "does not exist, and git does not know it");
    if (state === "gone") {
      names.gone.add(name);
      continue;
    }
    if (!known.has(name)) {
      untracked ??= new Set(await untrackedNames(runner, {}, signal));
      if (!untracked.has(name))
        throw refusedPath(
          path,
          "cannot be committed here: git ignores it, or it belongs to another repository or is behind a link",
        );
    }
    names.present.add(name);
  }
  return { present: [...names.present], gone: [...names.gone] };
}

/** Every name in the index or in HEAD, with its mode. */
async function readKnownNames(
  runner: GitRunner,
  head: string | undefined,
  signal: AbortSignal,
): Promise<Map<RawName, string>> {
  const committed = head === undefined ? [] : await treeEntries(runner, head, signal);
  const staged = await indexEntries(runner, signal);
  return new Map([...committed, ...staged].map(({ name, mode }) => [name, mode]));
}

/** The name itself, or the bytes behind what was shown of a name that is no UTF-8. */
function nameOf(runner: GitRunner, path: string, known: ReadonlyMap<RawName, string>): RawName {
  const name = rawOf(path);
  if (known.has(name) || entryNamed(runner, name)) return name;
  const shown = rawOfShown(path);
  return known.has(shown) || entryNamed(runner, shown) ? shown : name;
}

type NameState = "file" | "gone" | "folder" | "special" | "absent";

function stateOf(runner: GitRunner, name: RawName, known: ReadonlyMap<RawName, string>): NameState {
  const isKnown = known.has(name);
  if (isBehindLink(runner, name)) return isKnown ? "gone" : "absent";
  const entry = entryNamed(runner, name);
  if (!entry) return isKnown ? "gone" : "absent";
  if (entry.isFile() || entry.isSymbolicLink()) return "file";
  if (!entry.isDirectory()) return "special";
  if (known.get(name) === gitlink) return "file";
  return isKnown ? "gone" : "folder";
}

/** A link among its folders leads elsewhere; git does not go there. */
export function isBehindLink(runner: GitRunner, name: RawName): boolean {
  const parts = name.split("/").slice(0, -1);
  return parts.some((_, at) => entryNamed(runner, parts.slice(0, at + 1).join("/"))?.isSymbolicLink() === true);
}
