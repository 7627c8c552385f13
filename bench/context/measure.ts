import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Git } from "../../src/platform/git/git.ts";
import { readTaskContext } from "../../src/rooms/workbench/context/task-context.ts";
import type { Task } from "../../src/rooms/workbench/model/task-model.ts";
import { rankByBm25 } from "./bm25.ts";

export type LabelledTask = {
  /** `owner/name`. */
  repository: string;
  /** The commit that did it; the task is looked at on its parent, with the history up to there. */
  commit: string;
  name: string;
  description: string;
  /** What the commit changed, without lock files and changelogs. */
  changed: string[];
  /** What a developer would open besides. */
  also: string[];
};

type Ranked = { precision: number; recall: number };
export type Measured = { task: LabelledTask; forge: Ranked; bm25: Ranked; ms: number };

const shownFiles = 5;
const recallFiles = 10;
const budgetTokens = 4_000;

/** Where a repository is below a folder: a clone, or a bare one as mirrors have it. */
export function findClone(folder: string, repository: string): string | undefined {
  const flat = repository.replace("/", "+");
  const places = [
    join(folder, repository),
    join(folder, flat, "repo"),
    join(folder, flat),
    `${join(folder, repository)}.git`,
  ];
  return places.find((place) => existsSync(join(place, "HEAD")) || existsSync(join(place, ".git")));
}

export async function measureTask(task: LabelledTask, source: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "forge-context-"));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  try {
    git("clone", "--quiet", "--shared", "--no-checkout", source, ".");
    git("checkout", "--quiet", "--detach", `${task.commit}^`);
    const files = git("ls-files", "-z").split("\0").filter(Boolean);
    const began = performance.now();
    const found = await rankByForge(folder, task);
    const ms = performance.now() - began;
    const bm25 = rankByBm25(folder, files, `${task.name} ${task.description}`);
    return { task, forge: judge(found, task), bm25: judge(bm25, task), ms };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge(ranked: readonly string[], { changed, also }: LabelledTask): Ranked {
  const right = new Set([...changed, ...also]);
  return {
    precision: ranked.slice(0, shownFiles).filter((path) => right.has(path)).length / shownFiles,
    recall: changed.filter((path) => ranked.slice(0, recallFiles).includes(path)).length / changed.length,
  };
}

async function rankByForge(folder: string, { name, description }: LabelledTask): Promise<string[]> {
  const { PATH = "", HOME = "" } = process.env;
  const git = new Git({ environment: { PATH, HOME } });
  const { signal } = new AbortController();
  const task: Task = {
    id: "task",
    name,
    blockId: "block",
    blockName: "Block",
    status: "pending",
    commitId: "",
    revision: 1,
    createdAt: 0,
    updatedAt: 0,
    description,
    acceptance_criteria: [],
    dependencies: [],
    estimated_effort: "",
    files_affected: [],
    function_signatures: [],
    testing_requirements: [],
    log: "",
  };
  const { existing_files } = await readTaskContext({ git, projectRoot: folder }, task, { budgetTokens, signal });
  return Object.keys(existing_files);
}
