/** The plan of the house as data: which zone may import which, and what each door guards. */

/** Each zone imports only from those to its right; hosts not each other, rooms not each other. */
const order = ["main", "hosts", "flows", "rooms", "commons", "platform", "kernel"] as const;

/** Files beside the folders: the composition root, and two tables that the command line reads too. */
const composition = new Set(["main.ts", "program.ts", "toolsets.ts", "catalog.ts", "web-host.ts", "doctor.ts"]);
const tables = new Set(["config.ts", "faces.ts", "version.ts"]);

/** Packages and the only places that may import them. Node's own modules are doors, below. */
const packages: [name: RegExp, places: string[]][] = [
  [/^@modelcontextprotocol\//, ["hosts/mcp"]],
  [/^(hono(\/.*)?|@hono\/.*)$/, ["hosts/http"]],
  [/^(kysely|pg|@photostructure\/sqlite)$/, ["platform/db", "commons", "rooms"]],
  [/^@napi-rs\/keyring$/, ["platform/secrets"]],
  [/^(jsonc-parser|smol-toml)$/, ["rooms/setup"]],
  [/^zod$/, ["kernel", "commons", "rooms", "hosts/mcp", "hosts/http"]],
];

/** Node's modules that reach outside the program, and the only places that may import them. */
const moduleDoors: [what: string, module: RegExp, places: string[]][] = [
  ["files", /^(node:)?fs(\/promises)?$/, ["platform"]],
  ["processes", /^(node:)?child_process$/, ["platform/exec.ts", "platform/exec-children.ts"]],
  ["the network", /^(node:)?(net|http|https|http2|tls|dgram|dns)(\/promises)?$/, ["platform/fetch", "hosts/http"]],
];

/** The same for globals, by how they are written. */
const globalDoors: [what: string, pattern: RegExp, places: string[]][] = [
  ["the network", /(?<![.\w]|async )fetch\(|new WebSocket\(/, []],
  ["the environment", /\bprocess\.env\b/, ["platform/env.ts"]],
  ["stdout and stdin", /\bprocess\.(stdout|stdin)\b/, ["hosts/mcp/stdio", "main.ts"]],
  ["stdout and stderr", /\bconsole\./, []],
  ["stderr", /\bprocess\.stderr\b/, ["hosts/mcp/stdio", "platform/log.ts", "main.ts"]],
  ["code made of text", /\b(eval\(|new Function\()/, []],
];

export type Source = { path: string; text: string };

/** Every breach of the plan in these files (paths relative to src/), one line each. */
export function breaches(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return [...importBreaches(path, code), ...doorBreaches(path, code)];
  });
}

function importBreaches(path: string, code: string): string[] {
  return importsOf(code).flatMap((specifier) => {
    if (specifier.startsWith(".")) {
      const target = join(path, specifier);
      return mayImport(path, target) ? [] : [`${path} imports ${target}: that crosses the plan`];
    }
    const door = moduleDoors.find(([, module]) => module.test(specifier));
    if (door) return isIn(path, door[2]) ? [] : [pastTheDoor(path, door[0], door[2])];
    if (specifier.startsWith("node:")) {
      return zoneOf(path) === "kernel" ? [`${path} imports ${specifier}: the kernel does no I/O`] : [];
    }
    const known = packages.find(([name]) => name.test(specifier));
    if (!known) return [`${path} imports ${specifier}: say in test/architecture/plan.ts where it may be used`];
    return isIn(path, known[1]) ? [] : [`${path} imports ${specifier}: only ${known[1].join(", ")} may`];
  });
}

function doorBreaches(path: string, code: string): string[] {
  return globalDoors
    .filter(([, pattern, places]) => pattern.test(code) && !isIn(path, places))
    .map(([what, , places]) => pastTheDoor(path, what, places));
}

function pastTheDoor(path: string, what: string, places: string[]): string {
  return `${path} reaches ${what} past its door (${places.join(", ") || "nowhere"})`;
}

function mayImport(from: string, to: string): boolean {
  if (composition.has(from)) return true;
  if (tables.has(to)) return zoneOf(from) === "hosts" || tables.has(from);
  const [a, b] = [zoneOf(from), zoneOf(to)];
  if (tables.has(from)) return b === "kernel";
  if (a === b) return a === "hosts" || a === "rooms" ? from.split("/")[1] === to.split("/")[1] : true;
  return order.indexOf(a) < order.indexOf(b);
}

function zoneOf(path: string): (typeof order)[number] {
  return order.find((zone) => path.startsWith(`${zone}/`)) ?? "main";
}

function isIn(path: string, places: string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}

function importsOf(code: string): string[] {
  const patterns = [
    /\bfrom\s*["']([^"']+)["']/g,
    /\bimport\s*\(\s*["']([^"']+)["']/g,
    /\b(?:import\s+|require\(\s*)["']([^"']+)["']/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, specifier = ""]) => specifier));
}

/** Comments may speak of anything. Strings stay: specifiers are strings. */
function withoutComments(text: string): string {
  return text.replace(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "$1");
}

function join(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
