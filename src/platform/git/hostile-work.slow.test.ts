import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { testWith } from "../../../test/harness/faults/faults.ts";
import {
  type EvilKind,
  type EvilRepository,
  evilKinds,
  makeEvilRepository,
} from "../../../test/harness/git/evil-repo.ts";
import { writeFiles } from "../../../test/harness/git/git.ts";
import { Git } from "./git.ts";

const { signal } = new AbortController();

const made: EvilRepository[] = [];
afterEach(() => {
  for (const evil of made.splice(0)) evil.sandbox.dispose();
});

/** What such a repository does not let happen: it is refused as such, needs trust, or lacks what would have to be fetched. */
const refusals: Partial<Record<EvilKind, "all" | "files" | "objects" | "merging">> = {
  "git file that leads outside": "all",
  "git folder as a symbolic link": "all",
  "git folder that borrows another's": "all",
  "clean filter": "files",
  "process filter": "files",
  "smudge filter": "files",
  "filter with = in its name": "files",
  "filter with an empty name": "files",
  "required filter": "files",
  "filter by a private attributes file": "files",
  include: "files",
  "conditional include": "files",
  "partial clone": "objects",
  "ext remote": "objects",
  "merge driver": "merging",
};

const story = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n7\n8\n${last}\n`;

/** Everything an execution does, from the branch to the merge; each step by name with how it went. */
async function workThrough(evil: EvilRepository): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  const step = async <T>(name: string, action: () => Promise<T> | T): Promise<T | undefined> => {
    try {
      const result = await action();
      outcomes[name] = "done";
      return result;
    } catch (error) {
      outcomes[name] = error instanceof Error && "code" in error ? String(error.code) : String(error);
      return undefined;
    }
  };
  const commit = (where: ReturnType<Git["work"]>, paths: string[]) =>
    where.commits.create({ message: "Change", trailers: { "Forge-Task": "t" }, paths }, signal);
  const git = new Git(evil.sandbox);
  const work = await step("open", () => git.work(evil.path));
  if (!work) return outcomes;
  const root = work.location.workTree;
  const base = (await step("head", () => work.head(signal)))?.commit ?? "";
  writeFiles(root, { "story.txt": story("1", "9") });
  await step("changes", () => work.changes.list({ since: base, limit: 10 }, signal));
  await step("diff", () => work.changes.diff({ since: base, maxBytes: 10_000 }, signal));
  await step("hash", () => work.treeHash(signal));
  await step("commit", () => commit(work, ["story.txt"]));
  const commitId = (await work.head(signal)).commit ?? "";
  const folder = join(work.workTrees.places.apart, "e1");
  await step("add work tree", () => work.workTrees.add(folder, "task", commitId, signal));
  if (outcomes["add work tree"] === "done") {
    writeFiles(folder, { "story.txt": story("task", "9") });
    const inside = git.work(folder);
    await step("commit inside", () => commit(inside, ["story.txt"]));
    await step("hash inside", () => inside.treeHash(signal));
  } else await step("branch", () => work.branches.create("task", commitId, signal));
  writeFiles(root, { "story.txt": story("1", "main") });
  await step("commit on the base", () => commit(work, ["story.txt"]));
  await step("plan", () => work.merges.plan("main", "task", signal));
  const merged = await step("merge", () =>
    work.merges.merge({ base: "main", branch: "task", message: "Merge", trailers: {} }, signal),
  );
  if (merged && merged.kind !== "merged") outcomes["merge"] = merged.kind;
  await step("remove work tree", () => work.workTrees.remove(folder, signal));
  await step("start branch", () => work.branches.start("another", signal));
  await step("switch", () => work.branches.switchTo("main", signal));
  await step("delete branch", async () =>
    work.branches.delete("another", (await work.branches.tip("another", signal)) ?? "", signal),
  );
  await step("prune", () => work.workTrees.prune(signal));
  return outcomes;
}

describe.each(evilKinds)("work in a hostile repository: %s", (kind) => {
  testWith(["posix"], "runs nothing of it", async () => {
    const evil = makeEvilRepository(kind);
    made.push(evil);
    const outcomes = await workThrough(evil);
    expect(evil.marks()).toEqual([]);
    const failed = Object.fromEntries(Object.entries(outcomes).filter(([, outcome]) => outcome !== "done"));
    const refused = refusals[kind];
    if (refused === "all") expect(outcomes).toEqual({ open: "PERMISSION_DENIED" });
    else if (refused === "files") expect(failed).toMatchObject({ commit: "TRUST_REQUIRED" });
    else if (refused === "objects") expect(failed).toHaveProperty("commit");
    else if (refused === "merging") expect(failed).toMatchObject({ merge: "conflict" });
    else expect(failed).toEqual({});
    expect(Object.values(outcomes)).not.toContain("INTERNAL_ERROR");
  });
});

describe("the same repositories, trusted by a person,", () => {
  const trusted = (kind: EvilKind) => {
    const evil = makeEvilRepository(kind);
    made.push(evil);
    return { evil, work: new Git(evil.sandbox).work(evil.path, { trusted: true }) };
  };

  testWith(["posix"], "have their hooks", async () => {
    const { evil, work } = trusted("hooks");
    writeFiles(evil.path, { "file.txt": "two\n" });
    await work.commits.create({ message: "m", trailers: {}, paths: ["file.txt"] }, signal);
    expect(evil.marks()).toEqual(expect.arrayContaining(["pre-commit", "commit-msg", "post-commit"]));
  });

  testWith(["posix"], "have their merge drivers", async () => {
    const { evil, work } = trusted("merge driver");
    await work.merges.merge({ base: "main", branch: "side", message: "m", trailers: {} }, signal);
    expect(evil.marks()).toEqual(["merge"]);
  });
});

testWith(["posix"], "a merge driver that may not run never lets one side win silently", async () => {
  const evil = makeEvilRepository("merge driver");
  made.push(evil);
  const work = new Git(evil.sandbox).work(evil.path);
  const outcome = await work.merges.merge({ base: "main", branch: "side", message: "m", trailers: {} }, signal);
  expect(outcome).toEqual({ kind: "conflict", files: ["both.txt"] });
  expect(readFileSync(join(evil.path, "both.txt"), "utf8")).toBe("1\n2\n3\n4\nmain\n");
});
