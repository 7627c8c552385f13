import { join } from "node:path";
import { statusArguments } from "../../src/platform/git/read/status.ts";
import { treeArguments } from "../../src/platform/git/read/tree-reader.ts";
import { gitCommands } from "../../src/platform/git/run/commands.ts";
import { findGit } from "../../src/platform/git/run/find-git.ts";
import { armedSections, gitEnvironment, leadingOptions } from "../../src/platform/git/run/hardening.ts";
import { locateRepository } from "../../src/platform/git/run/locate-repository.ts";
import { BenchClient } from "../client.ts";
import type { Effort } from "../effort.ts";
import { familyCpuMs } from "../process-usage.ts";
import { makeRepository } from "../repositories.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";

export type RepositorySample = { ms: number };

type Subject = { name: string; client: BenchClient; call: [tool: string, given: Record<string, unknown>] };

/** `get_repository_context` compared with the git commands it runs. */
export async function measureRepository(
  { folder, env, servers }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<RepositorySample> }> {
  const repository = makeRepository(join(folder, "large-project"), effort.repositoryFiles, env);
  const hardened = sameCommands(repository, env);
  const plain = {
    git: hardened.given.git,
    cwd: repository,
    lanes: [[["status", "--porcelain"]], [["ls-tree", "-r", "HEAD"]]],
  };
  const subjects: Subject[] = [
    {
      name: "forge",
      client: new BenchClient({ ...servers.forge, cwd: repository }),
      call: ["get_repository_context", {}],
    },
    {
      name: "git by hand",
      client: new BenchClient({ ...servers.gitByHand, env: hardened.env }),
      call: ["git", hardened.given],
    },
    { name: "git by hand, not hardened", client: new BenchClient(servers.gitByHand), call: ["git", plain] },
  ];
  try {
    for (const { client, call } of subjects) {
      await client.greet();
      await client.call(...call);
    }
    const rounds = { count: effort.repositoryCalls, random: effort.random };
    const cpuBefore = subjects.map(({ client }) => familyCpuMs(client.pid));
    const samples = await measureRounds(subjects, rounds, timeCall);
    const cpu = subjects.map(({ client }, index) => perCall(cpuBefore[index], familyCpuMs(client.pid), rounds.count));
    return { rows: rowsOf(samples, effort, cpu), samples };
  } finally {
    await Promise.all(subjects.map(({ client }) => client.end()));
  }
}

async function timeCall({ client, call }: Subject): Promise<RepositorySample> {
  const begun = performance.now();
  await client.call(...call);
  return { ms: performance.now() - begun };
}

/** The commands Forge runs for one call, with the same options, environment and parallelism. */
function sameCommands(workTree: string, base: Record<string, string>) {
  const location = locateRepository(workTree);
  if (!location) throw new Error(`${workTree} is no repository`);
  const program = findGit(base, workTree);
  const command = (name: keyof typeof gitCommands, args: readonly string[]) => [
    ...leadingOptions("untrusted", workTree),
    name,
    ...gitCommands[name].flags,
    ...args,
  ];
  const filters = command("config", ["--includes", "-z", "--name-only", "--get-regexp", armedSections]);
  const lanes = [[filters, command("status", statusArguments)], [command("ls-tree", treeArguments)]];
  return { env: gitEnvironment(base, program, location), given: { git: program.path, cwd: workTree, lanes } };
}

function perCall(before: number | undefined, after: number | undefined, calls: number): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) / calls;
}

function rowsOf(samples: Rounds<RepositorySample>, effort: Effort, [forge, byHand]: (number | undefined)[]): Row[] {
  const pick = (sample: RepositorySample) => sample.ms;
  const what = `\`get_repository_context\`, ${effort.repositoryFiles.toLocaleString("en")} files`;
  return [
    compare(samples, {
      id: "repository",
      what,
      against: "git by hand",
      unit: "ms",
      pick,
      goal: { kind: "target", atMost: 3 },
    }),
    compare(samples, {
      id: "repository-against-plain",
      what,
      against: "git by hand, not hardened",
      unit: "ms",
      pick,
    }),
    {
      id: "repository-cpu",
      what: "CPU time of that call, git's included",
      unit: "ms",
      forge,
      against: "git by hand",
      other: byHand,
      ratio: forge && byHand ? forge / byHand : undefined,
    },
  ];
}
