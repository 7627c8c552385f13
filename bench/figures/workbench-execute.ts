import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findGit } from "../../src/platform/git/run/find-git.ts";
import { BenchClient } from "../client.ts";
import type { Effort } from "../effort.ts";
import { makeRepository } from "../repositories.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";

type Subject = {
  name: string;
  begin(): Promise<unknown>;
  /** Not measured: everything is as before. */
  undo(): Promise<unknown>;
};

const branch = "task-by-hand";
const block_id = "bench";

/** Starting a task in the project's folder on a new branch, compared with the git commands a person would type. */
export async function measureWorkbenchExecute(
  { folder, env, servers, forge: program }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number> }> {
  const files = effort.repositoryFiles / 10;
  const [ours, theirs] = ["executed", "by-hand"].map((name) => cleanRepository(join(folder, name), files, env));
  if (ours === undefined || theirs === undefined) throw new Error("two repositories");
  // In a project that is not trusted, starting a task again after it was cancelled needs an approval.
  execFileSync(process.execPath, [program, "trust", "--yes"], {
    cwd: ours,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const forge = new BenchClient({ ...servers.forge, cwd: ours });
  const hand = new BenchClient(servers.gitByHand);
  const git = findGit(env, theirs).path;
  const byHand = (...lane: string[][]) => hand.call("git", { git, cwd: theirs, lanes: [lane] });
  let task_id = "";
  const subjects: Subject[] = [
    {
      name: "forge",
      begin: () => forge.call("forge_execute_task", { block_id, task_id }),
      undo: () => forge.call("forge_cancel_execution", {}),
    },
    {
      name: "git by hand",
      begin: () => byHand(["rev-parse", "HEAD"], ["status", "--porcelain"], ["switch", "-c", branch]),
      undo: () => byHand(["switch", "-"], ["branch", "-D", branch]),
    },
  ];
  try {
    await forge.greet();
    await hand.greet();
    await forge.call("forge_create_block", { name: "Bench", block_id });
    const made = await forge.call("forge_create_task", { block_id, task_name: "Begin me" });
    task_id = Object(made).structuredContent.task.id;
    for (const subject of subjects) await measure(subject);
    const samples = await measureRounds(subjects, { count: effort.executions, random: effort.random }, measure);
    return { rows: [rowOf(samples, files)], samples };
  } finally {
    await Promise.all([forge.end(), hand.end()]);
  }
}

async function measure({ begin, undo }: Subject): Promise<number> {
  const begun = performance.now();
  await begin();
  const ms = performance.now() - begun;
  await undo();
  return ms;
}

function cleanRepository(folder: string, files: number, env: Record<string, string>): string {
  makeRepository(folder, files, env);
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  for (const args of [
    ["add", "--all"],
    ["commit", "--quiet", "--message", "second"],
    ["status", "--short"],
  ])
    execFileSync("git", [...author, ...args], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}

function rowOf(samples: Rounds<number>, files: number): Row {
  return compare(samples, {
    id: "workbench-execute",
    what: `\`forge_execute_task\` on a branch, ${files.toLocaleString("en")} files`,
    against: "git by hand",
    unit: "ms",
    pick: (ms) => ms,
    goal: { kind: "target", atMost: 4 },
  });
}
