import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../files/entry-at.ts";
import { realPathOf } from "../../files/real-place.ts";
import { exactText, type RawName, textOf } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import type { WorkTree } from "../work-model.ts";

export type ListedWorkTree = WorkTree & {
  /** Why it is locked; empty where no reason was given. */
  locked: string | undefined;
};

const heads = "refs/heads/";

/** Every work tree git knows of, the main one first. */
export async function listWorkTrees(runner: GitRunner, signal: AbortSignal): Promise<ListedWorkTree[]> {
  await runner.require("2.38", signal);
  const attributes = await runner.records("worktree", ["list", "--porcelain", "-z"], { signal });
  const trees: RawName[][] = [[]];
  for (const attribute of attributes) {
    if (attribute === "") trees.push([]);
    else trees.at(-1)?.push(attribute);
  }
  return trees.filter((tree) => tree.length > 0).map((tree, index) => toWorkTree(tree, index === 0));
}

function toWorkTree(attributes: RawName[], isMain: boolean): ListedWorkTree {
  const attributeOf = (key: string) => {
    const found = attributes.find((attribute) => attribute === key || attribute.startsWith(`${key} `));
    return found?.slice(key.length + 1);
  };
  const raw = attributeOf("worktree") ?? "";
  const path = exactText(raw) ?? textOf(raw);
  const commit = attributeOf("HEAD") ?? "";
  return {
    path: realPathOf(path) ?? path,
    branch: branchOf(attributeOf("branch")),
    commit: /^0*$/.test(commit) ? undefined : commit,
    isMain,
    isGone: entryAt(path) === undefined,
    locked: attributeOf("locked"),
  };
}

function branchOf(ref: RawName | undefined): string | undefined {
  const text = ref === undefined ? undefined : exactText(ref);
  return text?.startsWith(heads) ? text.slice(heads.length) : undefined;
}

/** Where a branch is checked out, or being rebased: it belongs to that work tree. */
export async function findCheckouts(runner: GitRunner, branch: string, signal: AbortSignal): Promise<ListedWorkTree[]> {
  const trees = await listWorkTrees(runner, signal);
  return trees.filter((tree) => tree.branch === branch || (!tree.isGone && isRebasing(runner, tree, branch)));
}

/** While a branch is rebased, HEAD is detached; the name is kept in a file. */
function isRebasing(runner: GitRunner, { path, branch: current }: WorkTree, branch: string): boolean {
  if (current !== undefined) return false;
  const gitDir = runner.at(path)?.location.gitDir;
  if (gitDir === undefined) return false;
  return ["rebase-merge", "rebase-apply"].some((folder) => {
    const file = join(gitDir, folder, "head-name");
    return entryAt(file)?.isFile() === true && readFileSync(file, "utf8").trim() === `${heads}${branch}`;
  });
}

export function describeCheckout({ path, isMain }: WorkTree): string {
  return isMain ? `in the main work tree ${path}` : `in the work tree ${path}`;
}
