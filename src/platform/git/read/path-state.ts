import { isHidden, readFlagged } from "../index/index-flags.ts";
import { requireLiteralPath } from "../names/given-paths.ts";
import { type RawName, rawOf, textOf } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import type { PathState } from "../work-model.ts";
import { entryNamed } from "./entry-named.ts";
import { gitlink } from "./tree-entries.ts";

/** Whether the index has this file, or a submodule that the file lies in: in any spelling that some file system takes for it. */
export async function isTracked(runner: GitRunner, path: string, signal: AbortSignal): Promise<boolean> {
  const parts = requireLiteralPath(path).toLowerCase().split("/");
  const places = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const entries = await runner.records(
    "ls-files",
    ["-s", "-z", "--", ...places.map((place) => `:(icase,literal)${place}`)],
    {
      signal,
      // Git accepts no `icase` beside it.
      environment: { GIT_LITERAL_PATHSPECS: "0" },
    },
  );
  return entries.some((entry) => {
    const name = textOf(nameOf(entry)).toLowerCase();
    return name === places.at(-1) || (entry.startsWith(`${gitlink} `) && places.includes(name));
  });
}

/** What git knows of a path in the work tree that is about to be written. */
export async function pathStateOf(runner: GitRunner, path: string, signal: AbortSignal): Promise<PathState> {
  const literal = requireLiteralPath(path);
  const name = rawOf(literal);
  const [within, entries] = await Promise.all([
    findInnerRepository(runner, literal, signal),
    runner.records("ls-files", ["-v", "-z", "--", literal], { signal }),
  ]);
  if (within !== undefined) return { kind: "elsewhere", repository: within };
  const entry = entries.map(readFlagged).find((found) => found.name === name);
  if (!entryNamed(runner, name)) return { kind: "free" };
  if (entry) return { kind: isHidden(entry) ? "hidden" : "tracked" };
  const seen = await runner.records("ls-files", ["--others", "--exclude-standard", "-z", "--", literal], { signal });
  return { kind: seen.includes(name) ? "untracked" : "ignored" };
}

/** The submodule or other repository that a path lies in; a submodule need not be filled to be one. */
async function findInnerRepository(runner: GitRunner, path: string, signal: AbortSignal): Promise<string | undefined> {
  const places = path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  const nested = places.find((place) => entryNamed(runner, rawOf(`${place}/.git`)));
  if (nested !== undefined) return nested;
  const entries = await runner.records("ls-tree", ["-z", "HEAD", "--", ...places], { signal });
  const link = entries.find((entry) => entry.startsWith(`${gitlink} `));
  return link === undefined ? undefined : textOf(nameOf(link));
}

function nameOf(entry: RawName): RawName {
  return entry.slice(entry.indexOf("\t") + 1);
}
