export type ChangedFile = { path: string; additions: number; deletions: number };

/** What `git diff --numstat -z` says. A binary file has dashes for numbers: no lines. */
export function readNumstat(output: string, limit: number): ChangedFile[] {
  return output
    .split("\0")
    .filter((entry) => entry !== "")
    .slice(0, limit)
    .flatMap((entry) => {
      const [additions, deletions, ...path] = entry.split("\t");
      if (path.length === 0) return [];
      return [{ path: path.join("\t"), additions: count(additions), deletions: count(deletions) }];
    });
}

function count(text = ""): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
