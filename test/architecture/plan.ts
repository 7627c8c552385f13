import { isBuiltin } from "node:module";
import { reachesOf } from "./syntax.ts";

/** The plan of the house as data: which zone may import which, and what each door guards. */

/** Each zone imports only from those to its right; hosts and rooms not each other, and hosts no room. */
const order = ["main", "app", "hosts", "flows", "rooms", "commons", "platform", "kernel"] as const;

/** What runs in the browser: it imports nothing of the program, and the program nothing of it. */
const browserZone = "web";

/** The list of rooms; it belongs to the composition. */
const roomList = "rooms.ts";

/** The one room that a host knows: the HTTP server asks it who is who. */
const knownRoom = { host: "hosts/http", room: "rooms/access" };

/** Packages and the only places that may import them. */
const packages: [name: RegExp, places: string[]][] = [
  [/^@modelcontextprotocol\//, ["hosts/mcp"]],
  [/^(hono(\/.*)?|@hono\/.*)$/, ["hosts/http"]],
  [/^kysely$/, ["platform/db", "commons", "rooms", "app/store"]],
  [/^(pg|@photostructure\/sqlite)$/, ["platform/db"]],
  [/^diff$/, ["commons/diff"]],
  [/^re2js$/, ["commons/patterns"]],
  [/^jsonc-parser$/, ["commons/json", "rooms/setup", "rooms/governance/check"]],
  [
    /^smol-toml$/,
    [
      "rooms/setup",
      "commons/manifests",
      "commons/test-runs/runners/pytest.ts",
      "rooms/memory/bmad",
      "rooms/governance/check",
    ],
  ],
  [/^yaml$/, ["commons/yaml"]],
  [/^@babel\/parser$/, ["rooms/governance/check"]],
  [/^saxes$/, ["rooms/tickets/formats", "commons/manifests", "commons/test-runs/reports/junit.ts"]],
  [/^(semver|node-diff3)$/, ["rooms/registry/client"]],
  [/^(tar|ssri)$/, ["rooms/registry/client/packages"]],
  [/^openid-client$/, ["rooms/access/identity/openid.ts"]],
  [/^(preact(\/.*)?|@preact\/signals)$/, ["web"]],
  [/^zod$/, ["kernel", "commons", "rooms", "hosts/mcp", "hosts/http"]],
];

const allButKernel = ["main", "app", "hosts", "flows", "rooms", "commons", "platform"];

/** Node's modules and the only places that may import them; one that is not listed may be imported nowhere. */
const nodeModules: [name: RegExp, places: string[]][] = [
  [/^fs(\/promises)?$/, ["platform"]],
  [/^child_process$/, ["platform/exec", "platform/terminal"]],
  [/^net$/, ["platform/fetch", "hosts/http", "platform/terminal/read-input.ts"]],
  [/^(http|https|http2|tls|dgram|dns)(\/promises)?$/, ["platform/fetch", "hosts/http"]],
  [/^os$/, ["platform", "rooms/setup/service/open.ts", "app/local/doctor.ts"]],
  [/^readline(\/promises)?$/, ["platform/terminal"]],
  [/^tty$/, ["app/local", "platform"]],
  [/^stream$/, ["platform", "hosts/mcp/stdio"]],
  [/^async_hooks$/, ["platform/db"]],
  [/^(buffer|events)$/, ["platform"]],
  [/^zlib$/, ["platform", "rooms/registry/client/packages"]],
  [/^(worker_threads|vm)$/, ["platform/patterns"]],
  [/^(crypto|path|timers\/promises|util)$/, allButKernel],
];

/** Globals by how they are used, and the only places that may; the first line that fits counts. */
const globalDoors: [what: string, use: RegExp, places: string[]][] = [
  ["the network", /^(fetch|WebSocket|EventSource|XMLHttpRequest)$/, ["web/data"]],
  ["every global", /^(globalThis|global)$/, ["web/data/events-worker.ts"]],
  ["stdout and stderr", /^console$/, []],
  ["code made of text", /^(eval|Function)$/, []],
  ["the environment", /^process\.env$/, ["platform/host/environment.ts"]],
  ["stdout and stdin", /^process\.(stdout|stdin)$/, ["hosts/mcp/stdio", "app/local", "main.ts"]],
  ["stderr", /^process\.stderr$/, ["hosts/mcp/stdio", "platform/log.ts", "app/local", "main.ts"]],
  ["Node's modules", /^process\.(getBuiltinModule|binding|dlopen|mainModule)$/, ["platform/db/sqlite/library.ts"]],
  ["facts of the process", /^process\.(arch|argv|execPath|hrtime|pid|platform|versions?)$/, allButKernel],
  ["all of the process", /^process\.\*$/, ["app/local"]],
  ["the process", /^process\./, ["platform"]],
];

/** Files of ours that only few may import: who holds them can decide, or start programs. */
const guarded: [file: string, places: string[]][] = [
  ["commons/trust/trust-editor.ts", ["commons/trust", "commons/cli", "app"]],
  ["commons/guard/approvals.ts", ["commons/guard", "commons/cli", "app"]],
  ["platform/exec/run.ts", ["platform/git", "commons/test-runs", "commons/completion"]],
  ["platform/exec/line-process.ts", ["rooms/memory/recall/plugin-embedder.ts"]],
  ["platform/terminal/run-attached.ts", ["app/local", "platform/terminal/edited-file.ts"]],
  ["platform/terminal/edited-file.ts", ["app/local"]],
  ["platform/terminal/open-browser.ts", ["app/local"]],
];

/** Programs that only one door starts. */
const programs: [name: string, places: string[]][] = [["git", ["platform/git"]]];

/** What tells friend from foe on a server is compared in a time that tells nothing: `sameHash`. */
const secrets = /(token|secret|hash|password|bearer|verifier|signature|digest|cookie|csrf)$/i;
const secretPlaces = ["rooms/access", "hosts/http"];

export type Source = { path: string; text: string };

/** Every breach of the plan in these files (paths relative to src/), one line each. */
export function breaches(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const reaches = reachesOf(text);
    return [
      ...reaches.imports.flatMap((specifier) => importBreaches(path, specifier)),
      ...[...new Set(reaches.globals)].flatMap((use) => globalBreaches(path, use)),
      ...reaches.programs.flatMap((name) => programBreaches(path, name)),
      ...reaches.compared.flatMap((name) => comparisonBreaches(path, name)),
    ];
  });
}

function importBreaches(path: string, specifier: string | undefined): string[] {
  if (specifier === undefined) return [`${path} imports what only the run tells: write the name out`];
  if (specifier.startsWith(".")) return ownBreaches(path, join(path, specifier));
  const node = specifier.startsWith("node:") || isBuiltin(specifier);
  const name = specifier.replace(/^node:/, "");
  const known = (node ? nodeModules : packages).find(([pattern]) => pattern.test(name));
  if (!known) return [`${path} imports ${specifier}: say in test/architecture/plan.ts where it may be used`];
  return isIn(path, known[1]) ? [] : [`${path} imports ${specifier}: only ${known[1].join(", ")} may`];
}

function ownBreaches(path: string, target: string): string[] {
  const guard = guarded.find(([file]) => file === target);
  if (guard && zoneOf(path) !== "app" && !isIn(path, guard[1]))
    return [`${path} imports ${target}: only ${guard[1].join(", ")} may`];
  return mayImport(path, target) ? [] : [`${path} imports ${target}: that crosses the plan`];
}

function globalBreaches(path: string, use: string): string[] {
  const door = globalDoors.find(([, pattern]) => pattern.test(use));
  return !door || isIn(path, door[2]) ? [] : [pastTheDoor(path, door[0], door[2])];
}

function programBreaches(path: string, name: string): string[] {
  const door = programs.find(([program]) => program === name);
  return !door || isIn(path, door[1]) ? [] : [pastTheDoor(path, name, door[1])];
}

function comparisonBreaches(path: string, name: string): string[] {
  if (!secrets.test(name) || !isIn(path, secretPlaces)) return [];
  return [`${path} compares ${name} with an operator, whose time tells how much of it was right: use sameHash`];
}

function pastTheDoor(path: string, what: string, places: string[]): string {
  return `${path} reaches ${what} past its door (${places.join(", ") || "nowhere"})`;
}

function mayImport(from: string, to: string): boolean {
  if (from.startsWith(`${browserZone}/`) || to.startsWith(`${browserZone}/`))
    return from.startsWith(`${browserZone}/`) && to.startsWith(`${browserZone}/`);
  const [a, b] = [zoneOf(from), zoneOf(to)];
  // Tests too may name rooms; what is tested may not.
  if (a === "hosts" && b === "rooms") return isIn(from, [knownRoom.host]) && isIn(to, [knownRoom.room]);
  if (to === "version.ts") return a === "main" || a === "app";
  if (a === b) return a === "hosts" || a === "rooms" ? from.split("/")[1] === to.split("/")[1] : true;
  return order.indexOf(a) < order.indexOf(b);
}

function zoneOf(path: string): (typeof order)[number] {
  if (path === roomList) return "app";
  return order.find((zone) => path.startsWith(`${zone}/`)) ?? "main";
}

function isIn(path: string, places: string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`) || place === zoneOf(path));
}

function join(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
