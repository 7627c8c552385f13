import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { loadMigrations } from "../../src/app/migrations.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { integrityOf, packArchive } from "../../src/rooms/registry/client/packages/archive.ts";
import { PackageStore } from "../../src/rooms/registry/server/package-store.ts";
import { RegistryServer } from "../../src/rooms/registry/server/registry-server.ts";
import type { RegistryTables } from "../../src/rooms/registry/server/schema.ts";
import type { Effort } from "../effort.ts";
import { measureRounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { elapsed } from "./cli.ts";
import type { Figure } from "./index.ts";

const packages = 100_000;
const asked = 200;
const [authors, rounds] = [8, 10];
const npm = join(dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
const pick = (ms: number | undefined) => ms;

/** Installing a plugin compared with npm and the same bytes, and searching many packages compared with a lookup by name. */
export async function measureRegistrySupply(workshop: Workshop, effort: Effort): Promise<Figure> {
  const [installs, searches] = [await measureInstalls(workshop, effort), await measureSearches(workshop, effort)];
  return {
    rows: [
      compare(installs, {
        id: "registry-install",
        what: "install of a plugin with 200 files, warm",
        of: "forge",
        against: "npm",
        unit: "ms",
        pick,
        goal: { kind: "target", atMost: 3 },
      }),
      compare(searches, {
        id: "registry-search",
        what: "search over 100,000 plugins, p95",
        of: "search",
        against: "by name",
        unit: "ms",
        pick,
        goal: { kind: "target", atMost: 20 },
      }),
      await publishedRow(workshop),
    ],
    samples: { installs, searches },
  };
}

async function measureInstalls({ folder, forge, env }: Workshop, effort: Effort) {
  const archive = bigArchive();
  const server = createServer((request, response) => {
    const metadata = {
      name: "@bench/big",
      serial: 1,
      versions: [{ version: "1.0.0", integrity: integrityOf(archive), dependencies: {} }],
    };
    response.end(request.url?.endsWith("/metadata") ? JSON.stringify(metadata) : archive);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const project = join(folder, "install");
  mkdirSync(join(project, ".fractary"), { recursive: true });
  mkdirSync(join(env["HOME"] ?? folder, ".fractary"), { recursive: true });
  const registries = [{ name: "bench", type: "stockyard", url, priority: 1 }];
  writeFileSync(join(env["HOME"] ?? folder, ".fractary", "config.json"), JSON.stringify({ registries }));
  writeFileSync(join(project, "package.json"), "{}");
  const subjects = [
    { name: "forge", args: [forge, "registry", "install", "@bench/big"], made: ".fractary/plugins" },
    {
      name: "npm",
      args: [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", `${url}/big.tgz`],
      made: "node_modules",
    },
  ];
  const run = async ({ args, made }: (typeof subjects)[number]) => {
    rmSync(join(project, made), { recursive: true, force: true });
    return elapsed(args, project, env);
  };
  try {
    for (const subject of subjects) await run(subject);
    return await measureRounds(subjects, { count: effort.commands, random: effort.random }, run);
  } finally {
    server.close();
  }
}

function bigArchive(): Buffer {
  const manifest = { name: "@bench/big", version: "1.0.0", description: "Many files" };
  const files = Array.from({ length: 199 }, (_, index) => ({
    path: `docs/${index}.md`,
    text: `# ${index}\n`.repeat(100),
  }));
  const all = [
    ...files,
    { path: "plugin.json", text: JSON.stringify(manifest) },
    { path: "package.json", text: JSON.stringify(manifest) },
  ];
  return packArchive(all.map(({ path, text }) => ({ path, bytes: Buffer.from(text), isExecutable: false })));
}

/** Eight people publish at once; what was acknowledged is there. */
async function publishedRow({ folder }: Workshop): Promise<Row> {
  const database = openDatabase<unknown>({ file: join(folder, "published.db") }, await loadMigrations());
  const registry = new RegistryServer(database);
  const publish = async (author: number) => {
    for (let minor = 0; minor < rounds; minor++) {
      const manifest = JSON.stringify({ name: "@bench/shared", version: `${author}.${minor}.0` });
      const archive = packArchive([{ path: "plugin.json", bytes: Buffer.from(manifest), isExecutable: false }]);
      await registry.publish({ team: "bench", name: `author ${author}` }, { archive });
    }
  };
  try {
    await Promise.all(Array.from({ length: authors }, (_, author) => publish(author + 1)));
    const { versions } = await registry.metadata("plugin", "@bench/shared");
    const [forge, other] = [(versions as unknown[]).length, authors * rounds];
    return {
      id: "registry-publish",
      what: `${authors} authors × ${rounds} versions published at once: there`,
      unit: "transactions",
      forge,
      against: "said to be done",
      other,
      ratio: forge / other,
      goal: { kind: "target", atLeast: 1 },
    };
  } finally {
    await database.close();
  }
}

async function measureSearches({ folder }: Workshop, effort: Effort) {
  const database = openDatabase<unknown>({ file: join(folder, "registry.db") }, await loadMigrations());
  await fill(database.forTables<RegistryTables>());
  const store = new PackageStore(database);
  const word = (index: number) => `word${(index * 7919) % 5_000}`;
  const subjects = [
    {
      name: "search",
      ask: (index: number) => store.search({ query: word(index), kind: "plugin", tags: [], page: 1, pageSize: 20 }),
    },
    { name: "by name", ask: (index: number) => store.find("plugin", `@bench/p${(index * 7919) % packages}`) },
  ];
  const run = async ({ ask }: { ask(index: number): Promise<unknown> }) => {
    const times: number[] = [];
    for (let index = 0; index < asked; index++) {
      const start = performance.now();
      await ask(index);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[Math.floor(asked * 0.95)] ?? 0;
  };
  try {
    for (const subject of subjects) await run(subject);
    return await measureRounds(subjects, { count: effort.commands, random: effort.random }, run);
  } finally {
    await database.close();
  }
}

/** Each word is in twenty packages, "plugin" in all. */
async function fill(database: ReturnType<typeof openDatabase<RegistryTables>>): Promise<void> {
  const numbers = sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${packages - 1})`;
  await database.transaction(async (tx) => {
    await sql`insert into registry_package (kind, name, description, tags, latest, downloads, serial, updated_at)
      ${numbers} select 'plugin', '@bench/p' || i, 'plugin word' || (i % 5000), '["bench"]', '1.0.0', i % 1000, 1, 0 from n`.execute(
      tx,
    );
    await sql`insert into registry_search (rowid, words) select seq, 'plugin word' || ((seq - 1) % 5000) from registry_package`.execute(
      tx,
    );
  });
}
