import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as settle } from "node:timers/promises";
import { BenchClient, type ServerCommand } from "../client.ts";
import type { Effort } from "../effort.ts";
import { residentMb } from "../process-usage.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { askMany, readyAnswer, type Subject } from "./asking.ts";
import { elapsed } from "./cli.ts";
import type { Figure } from "./index.ts";

const floor = "forge version";
const maxMb = 100;
/** After the first call, until background work has finished. */
const settleMs = 300;

type Started = { initializeMs: number; calledMb: number | undefined };

/** Lists of many definitions: a page over MCP, and a person's command with the index in place. */
export async function measureRegistry(workshop: Workshop, effort: Effort): Promise<Figure> {
  const { forge, env } = workshop;
  const [mcp, cli] = ["fractary-forge-mcp", "fractary-forge"].map((name) => join(dirname(forge), `${name}.cjs`));
  const [few, many] = [makeProject(workshop, 1_000), makeProject(workshop, 10_000)];
  const server = (folder: string, name: string): ServerCommand => ({
    name,
    args: [String(mcp)],
    cwd: folder,
    env,
  });
  const ask = (client: BenchClient) => client.call("fractary_forge_agent_list", { source: "local" });
  const subjects: Subject[] = [
    { name: "1,000", server: server(few, "1,000"), ask },
    { name: "10,000", server: server(many, "10,000"), ask },
    await readyAnswer("agents", workshop, server(many, "ready"), ask),
  ];
  const pages = await measureRounds(subjects, { count: effort.commands, random: effort.random }, (subject) =>
    askMany(subject, effort),
  );
  const starts = await measureRounds(
    [workshop.servers.oneTool, server(many, "fractary-forge-mcp")],
    { count: effort.starts, random: effort.random },
    startOnce,
  );
  const commands = [
    { name: floor, args: [forge, "version"] },
    { name: "agent-list", args: [String(cli), "agent-list", "--source", "local"] },
  ];
  const run = ({ args }: (typeof commands)[number]) => elapsed(args, few, env);
  for (const command of commands) await run(command);
  const lines = await measureRounds(commands, { count: effort.commands, random: effort.random }, run);
  const pick = (ms: number | undefined) => ms;
  return {
    rows: [
      compare(pages, {
        id: "registry-page-growth",
        what: "a page of agents, 10,000 definitions",
        of: "10,000",
        against: "1,000",
        unit: "ms",
        pick,
        goal: { kind: "target", atMost: 1.5 },
      }),
      compare(pages, {
        id: "registry-page",
        what: "a page of agents, 10,000 definitions",
        of: "10,000",
        against: "agents, ready",
        unit: "ms",
        pick,
        goal: { kind: "target", atMost: 3 },
      }),
      compare(lines, {
        id: "registry-list",
        what: "`fractary-forge agent-list`, 1,000 definitions",
        of: "agent-list",
        against: floor,
        unit: "ms",
        pick,
        goal: { kind: "target", atMost: 3 },
      }),
      compare(starts, {
        id: "registry-start",
        what: "`fractary-forge-mcp`, from spawn to the first answer",
        of: "fractary-forge-mcp",
        against: workshop.servers.oneTool.name,
        unit: "ms",
        pick: ({ initializeMs }) => initializeMs,
        goal: { kind: "target", atMost: 1 },
      }),
      memoryRow(starts),
    ],
    samples: { pages, lines, starts },
  };
}

function memoryRow(starts: Rounds<Started>): Row {
  const forge = starts.median("fractary-forge-mcp", ({ calledMb }) => calledMb);
  return {
    id: "registry-memory",
    what: "Memory of `fractary-forge-mcp` after a page of 10,000 definitions",
    unit: "MB",
    forge,
    against: "limit",
    other: maxMb,
    ratio: forge === undefined ? undefined : forge / maxMb,
    goal: { kind: "target", atMost: 1 },
  };
}

/** From spawn to the handshake's answer, and the memory after a page of everything. */
async function startOnce(subject: ServerCommand): Promise<Started> {
  const client = new BenchClient(subject);
  try {
    await client.greet();
    const initializeMs = performance.now() - client.startedAt;
    if (subject.name === "fractary-forge-mcp") await client.call("fractary_forge_agent_list", { source: "local" });
    await settle(settleMs);
    return { initializeMs, calledMb: residentMb(client.pid) };
  } finally {
    await client.end();
  }
}

function makeProject({ folder }: Workshop, count: number): string {
  const project = join(folder, `registry-${count}`);
  const agents = join(project, ".fractary", "agents");
  mkdirSync(agents, { recursive: true });
  writeFileSync(join(project, ".fractary", "config.json"), JSON.stringify({ registries: [] }));
  for (let index = 0; index < count; index++) {
    const name = `agent-${String(index).padStart(5, "0")}`;
    const text = `name: ${name}\ntype: agent\nversion: 1.0.0\ndescription: Agent number ${index}\nllm: {provider: anthropic, model: claude-sonnet-4}\ntools: [run-tests]\ntags: [bench]\nsystem_prompt: |\n  You are ${name}.\n`;
    writeFileSync(join(agents, `${name}.yaml`), text);
  }
  return project;
}
