import type { RawName } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";

type FlaggedEntry = { flag: string; name: RawName };

/** The index with what git was told of each file. */
export async function flaggedEntries(
  runner: GitRunner,
  signal: AbortSignal,
  environment: Record<string, string> = {},
): Promise<FlaggedEntry[]> {
  return (await runner.records("ls-files", ["-v", "-z"], { signal, environment })).map(readFlagged);
}

export function readFlagged(record: RawName): FlaggedEntry {
  return { flag: record.slice(0, 1), name: record.slice(2) };
}

/** Whether git was told to pass over the file (assume-unchanged, skip-worktree): what a person did in it shows nowhere. */
export function isHidden({ flag }: FlaggedEntry): boolean {
  return /^[a-zS]$/.test(flag);
}
