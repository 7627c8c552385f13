import { fingerprintOf, type SeenFile } from "../index/fingerprint.ts";
import { type RawName, textOf } from "../names/raw-names.ts";
import type { TreeEntry } from "../read/tree-entries.ts";
import type { GitRunner } from "../run/runner.ts";

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
