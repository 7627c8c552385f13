import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/platform/db/database.ts";
import type { GovernanceTables } from "../../src/rooms/governance/store/schema.ts";
import { migrations } from "../../test/harness/db/all-migrations.ts";
import { BenchClient, type ServerCommand } from "../client.ts";
import type { Effort } from "../effort.ts";
import { makeRepository } from "../repositories.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import { sealMadeStore } from "../seal-made-store.ts";
import type { Workshop } from "../workshop.ts";
import { askMany, readyAnswer, type Subject } from "./asking.ts";

const layers = {
  layers: [
    { name: "source", glob: "**/*.ts", forbidden: ["\\beval\\(", "TODO"], forbidden_imports: ["test/**"] },
    { name: "text", glob: "**/*.txt", forbidden: ["password\\s*="] },
  ],
};
const stride = 7919;

/** What governance costs: its first call, a check of many files, and artifacts when there are very many. */
export async function measureGovernance(
  workshop: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number | undefined> }> {
  const { servers, folder, env } = workshop;
  const rules = join(import.meta.dirname, "..", "..", "Forge");
  cpSync(rules, join(servers.forge.cwd, "Forge"), { recursive: true });
  const read = (client: BenchClient) => client.call("forge_get_governance", {});
  const large = makeRepository(join(folder, "governed"), effort.repositoryFiles, env);
  mkdirSync(join(large, "Forge", "Contracts"), { recursive: true });
  writeFileSync(join(large, "Forge", "Contracts", "boundaries.json"), JSON.stringify(layers));
  const check = (client: BenchClient) => client.call("forge_check_governance", {});
  const many = effort.tickets.many;
  const stores = {
    few: await makeArtifacts(join(folder, "few-artifacts"), 10),
    many: await makeArtifacts(join(folder, "many-artifacts"), many),
  };
  const at = (name: string, cwd: string): ServerCommand => ({ ...servers.forge, name, cwd });
  const ref = (index: number) => ({ project_id: "shop", artifact_type: "phase", key: `key-${index}` });
  const subjects: Subject[] = [
    { name: "rules", server: servers.forge, ask: read },
    await readyAnswer("governance", workshop, servers.forge, read),
    ...Object.entries(stores).flatMap(([name, cwd]): Subject[] => {
      const count = name === "few" ? 10 : many;
      const get = (client: BenchClient, index: number) =>
        client.call("forge_get_artifact", ref((index * stride) % count));
      const list = (client: BenchClient) => client.call("forge_list_artifacts", { project_id: "shop", limit: 10 });
      return [
        { name: `get, ${name}`, server: at(name, cwd), ask: get },
        { name: `list, ${name}`, server: at(name, cwd), ask: list },
      ];
    }),
  ];
  const samples = await measureRounds(
    [...subjects.map(({ name }) => ({ name })), { name: "check" }, { name: "first check" }, { name: "cat" }],
    { count: effort.ticketRounds, random: effort.random },
    async ({ name }) => {
      const subject = subjects.find((candidate) => candidate.name === name);
      if (subject) return askMany(subject, effort);
      if (name === "first check") return checkFirst(at(name, large), check);
      if (name === "check") return askMany({ name, server: at(name, large), ask: check }, { warmUpCalls: 1, calls: 3 });
      return readAll(large, env);
    },
  );
  const row = (id: string, what: string, of: string, against: string, atMost: number) =>
    compare(samples, { id, what, of, against, unit: "ms", pick: (ms) => ms, goal: { kind: "target", atMost } });
  return {
    rows: [
      row("governance", "`forge_get_governance`, p50", "rules", "governance, ready", 2),
      row("governance-check", `Static check of ${effort.repositoryFiles} files`, "check", "cat", 8),
      row("governance-first-check", "The same, first check ever (nothing kept)", "first check", "cat", 8),
      row("artifact", `\`forge_get_artifact\`, ${many} artifacts, p50`, "get, many", "get, few", 1.5),
      row(
        "artifact-page",
        `First page of \`forge_list_artifacts\`, ${many} artifacts, p50`,
        "list, many",
        "list, few",
        1.5,
      ),
      await measureWriters(at("writer", folderFor(folder, "shared-artifacts")), effort),
    ],
    samples,
  };
}

/** Without what earlier checks have kept. */
async function checkFirst(server: ServerCommand, check: (client: BenchClient) => Promise<unknown>): Promise<number> {
  rmSync(join(server.cwd, ".forge", "governance-scan.json"), { force: true });
  const client = new BenchClient(server);
  try {
    await client.greet();
    await client.call("forge_list_contracts", {});
    const begun = performance.now();
    await check(client);
    return performance.now() - begun;
  } finally {
    await client.end();
  }
}

/** Many servers on one store at once: everything they acknowledged is there. */
async function measureWriters(server: ServerCommand, { storeProcesses, ticketWrites }: Effort): Promise<Row> {
  const project_id = "shared";
  const clients = Array.from({ length: storeProcesses }, () => new BenchClient(server));
  let stored = 0;
  try {
    await Promise.all(clients.map((client) => client.greet()));
    await Promise.all(
      clients.map(async (client, writer) => {
        for (let turn = 0; turn < ticketWrites; turn++) {
          const key = `${writer}-${turn}`;
          await client.call("forge_store_artifact", { project_id, artifact_type: "phase", key, content: key });
        }
      }),
    );
    const [reader] = clients;
    for (let cursor: unknown; reader; ) {
      const page = Object(
        await reader.call("forge_list_artifacts", { project_id, ...(cursor !== undefined && { cursor }) }),
      );
      stored += page.structuredContent.count;
      cursor = page.structuredContent.next_cursor;
      if (cursor === undefined) break;
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  const asked = storeProcesses * ticketWrites;
  const what = `${storeProcesses} processes × ${ticketWrites} artifacts over MCP: stored`;
  const figures = { forge: stored, against: "acknowledged", other: asked, ratio: stored / asked };
  return { id: "artifact-writers", what, unit: "transactions", ...figures, goal: { kind: "target", atLeast: 1 } };
}

function folderFor(folder: string, name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

/** The floor: every file read once. */
function readAll(cwd: string, env: Record<string, string>): number {
  const line = "git ls-files -z | xargs -0 cat > /dev/null";
  spawnSync("sh", ["-c", line], { cwd, env });
  const begun = performance.now();
  spawnSync("sh", ["-c", line], { cwd, env });
  return performance.now() - begun;
}

/** A project with so many artifacts in its store. Returns the folder. */
async function makeArtifacts(folder: string, count: number): Promise<string> {
  mkdirSync(folder);
  const database = openDatabase<unknown>({ file: join(folder, ".forge", "forge.db") }, migrations);
  const content = JSON.stringify({ text: "x".repeat(200) });
  const [owner, now, ttl] = [{ team: "", project_id: "shop" }, Date.now(), 86_400_000];
  const times = { size: content.length, ttl_ms: ttl, created_at: now, expires_at: now + ttl };
  const size = 500;
  for (let first = 0; first < count; first += size) {
    const rows = Array.from({ length: Math.min(size, count - first) }, (_, index) => {
      return { ...owner, artifact_type: "phase", key: `key-${first + index}`, content, ...times };
    });
    await database
      .forTables<GovernanceTables>()
      .transaction(async (tx) => void (await tx.insertInto("governance_artifact").values(rows).execute()));
  }
  const usage = { ...owner, artifacts: count, bytes: count * content.length };
  await database
    .forTables<GovernanceTables>()
    .transaction(async (tx) => void (await tx.insertInto("governance_artifact_usage").values(usage).execute()));
  await sealMadeStore(database, folder);
  await database.close();
  return folder;
}
