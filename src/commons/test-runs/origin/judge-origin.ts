import { dirname, relative, sep } from "node:path";
import { realPlace } from "../../../platform/files/real-place.ts";
import { isInside } from "../../../platform/git/run/locate-repository.ts";
import type { WorkTreeRoots } from "../../../platform/git/worktrees/work-tree-roots.ts";
import type { TestOrigin } from "../test-run.ts";

/** What a runner knows about where the code under test came from. */
export type OriginEvidence =
  | {
      /** Files and folders that the run loaded code from, as absolute paths. */
      loaded: readonly string[];
      /** What has the name of a part of the project, but was loaded from outside every work tree. */
      copies?: readonly { name: string; path: string }[];
    }
  /** Why it cannot be told; empty where the runner never tells. */
  | { unknown: string };

/** Installed packages are the same for every work tree; generated files are made from what is beside them. */
const dependencyFolders = new Set(["node_modules", "site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox"]);
const maxNamed = 5;

/** Whether the code that was tested is that of the work tree the tests ran in. */
export function judgeOrigin({ root, others }: WorkTreeRoots, evidence: OriginEvidence): TestOrigin {
  if ("unknown" in evidence) {
    const why = `Where the tested code came from is unknown: ${evidence.unknown}.`;
    return { from: "unknown", ...(evidence.unknown !== "" && { why }) };
  }
  const places = [...new Set(evidence.loaded)].map(realPlace);
  const foreign = [
    ...(evidence.copies ?? []).map(({ name, path }) => `${name} (${path})`),
    ...places.filter((place) => isForeign(place, root, others)),
  ];
  if (foreign.length > 0) {
    const more = foreign.length > maxNamed ? ` and ${foreign.length - maxNamed} more` : "";
    const why = `The tests did not run on the code in ${root}: they loaded ${foreign.slice(0, maxNamed).join(", ")}${more}.`;
    return { from: "elsewhere", why, files: foreign.slice(0, maxNamed) };
  }
  if (places.some((place) => findTree(place, root, others) === root)) return { from: "tree" };
  return {
    from: "unknown",
    why: "Where the tested code came from is unknown: the run loaded nothing from this folder.",
  };
}

function isForeign(place: string, root: string, others: readonly string[]): boolean {
  const tree = findTree(place, root, others);
  if (tree === undefined || tree === root) return false;
  if (
    relative(tree, place)
      .split(sep)
      .some((part) => dependencyFolders.has(part))
  )
    return false;
  // Settings that a tool finds by walking up from a work tree inside another one.
  return !isInside(root, dirname(place));
}

/** A work tree may lie inside another one: the innermost counts. */
function findTree(place: string, root: string, others: readonly string[]): string | undefined {
  const holding = [root, ...others].filter((tree) => place === tree || isInside(place, tree));
  return holding.sort((a, b) => b.length - a.length)[0];
}
