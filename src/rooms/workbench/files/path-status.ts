import { relative, sep } from "node:path";
import { realPlace } from "../../../platform/files/real-place.ts";
import type { Git, Repository } from "../../../platform/git/git.ts";
import { NulRecords } from "../../../platform/git/read/nul-records.ts";

export type PathStatus = "new file" | "modified" | "unchanged" | "ignored";

/** The path of a folder in its repository: empty, or ending in a slash. */
export function pathPrefix(repository: Repository, folder: string): string {
  const way = relative(repository.location.workTree, realPlace(folder));
  return way === "" ? "" : `${way.split(sep).join("/")}/`;
}

/** The state of one file compared with the last commit. */
export async function readPathStatus(git: Git, folder: string, path: string, signal: AbortSignal): Promise<PathStatus> {
  const repository = git.open(folder);
  const states: string[] = [];
  const records = new NulRecords((record) => states.push(record.toString("latin1", 0, 4)));
  const { code } = await repository.run(
    "status",
    [
      "--porcelain=v2",
      "-z",
      "--untracked-files=all",
      "--ignored=matching",
      "--",
      `${pathPrefix(repository, folder)}${path}`,
    ],
    { signal, onStdout: (chunk) => records.write(chunk) },
  );
  if (code !== 0) throw new Error(`git status ended with ${code}`);
  const [state] = states;
  if (state === undefined) return "unchanged";
  if (state.startsWith("!")) return "ignored";
  // `1 A.`, `1 .A` (intent to add) and `? …`: not in the last commit.
  return state.startsWith("?") || state.includes("A") ? "new file" : "modified";
}
