import { expect, test } from "vitest";
import { resolveSettings, type Sources } from "./config.ts";
import { settingsTable } from "./settings-table.ts";

const path = "/home/ada/.forge/settings.json";

function resolve(sources: Partial<Sources> & { stored?: unknown }) {
  const { stored, ...given } = sources;
  const file = stored === undefined ? undefined : { path, text: JSON.stringify(stored) };
  return resolveSettings({ flags: {}, env: {}, file, ...given });
}

function problemOf(sources: Parameters<typeof resolve>[0]): string {
  const { problems } = resolve(sources);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.error.code).toBe("CONFIG_ERROR");
  expect(problems[0]?.error.next).not.toEqual([]);
  return problems[0]?.error.message ?? "";
}

test("without any source, the defaults", () => {
  expect(resolve({})).toEqual({
    settings: {
      databaseUrl: undefined,
      useDatabaseUrl: false,
      trustProxy: false,
      corsOrigins: [],
      logLevel: "error",
      ledgerDays: 90,
      project: ".",
      updateCheck: false,
      embeddingsUrl: undefined,
      embeddingsModel: undefined,
      embeddingsKey: undefined,
      qdrantUrl: undefined,
      qdrantKey: undefined,
      pgvectorUrl: undefined,
      colour: "auto",
      governanceLocal: false,
    },
    problems: [],
    warnings: [],
  });
});

test("flag before environment before file before default", () => {
  const stored = { project: "from-file" };
  const env = { FORGE_PROJECT: "from-env" };
  const flags = { project: "from-flag" };
  expect(resolve({ stored }).settings.project).toBe("from-file");
  expect(resolve({ stored, env }).settings.project).toBe("from-env");
  expect(resolve({ stored, env, flags }).settings.project).toBe("from-flag");
});

test("an empty variable says nothing", () => {
  expect(resolve({ stored: { ledgerDays: 7 }, env: { FORGE_LEDGER_DAYS: "", FORGE_DATABASE_URL: "" } })).toMatchObject({
    settings: { ledgerDays: 7, databaseUrl: undefined },
    problems: [],
  });
});

test.each([
  [{ DEBUG: "forge:*" }, "debug"],
  [{ DEBUG: "express:*, forge:store" }, "debug"],
  [{ DEBUG: "*" }, "debug"],
  [{ DEBUG: "express:*" }, "error"],
  [{ DEBUG: "forgery" }, "error"],
  [{ FORGE_LOG: "info", DEBUG: "forge:*" }, "info"],
])("%j logs at level %s", (env, level) => {
  expect(resolve({ env }).settings.logLevel).toBe(level);
});

test.each([
  [{ NO_COLOR: "1" }, {}, "never"],
  [{ FORCE_COLOR: "1" }, {}, "always"],
  [{ FORCE_COLOR: "0" }, {}, "never"],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, {}, "always"],
  [{ FORCE_COLOR: "1" }, { "no-color": true }, "never"],
  [{}, { "no-color": false }, "auto"],
])("%j with %j gives colours %s", (env, flags, colour) => {
  expect(resolve({ env, flags }).settings.colour).toBe(colour);
});

test.each<[Parameters<typeof resolve>[0], string]>([
  [{ env: { FORGE_LOG: "loud" } }, 'Wrong value "loud" for FORGE_LOG; expected silent, error, info or debug.'],
  [{ flags: { "log-level": "x" } }, 'Wrong value "x" for --log-level; expected silent, error, info or debug.'],
  [{ env: { FORGE_LEDGER_DAYS: "0" } }, 'Wrong value "0" for FORGE_LEDGER_DAYS; expected a number of days'],
  [{ env: { FORGE_LEDGER_DAYS: "1e3" } }, 'Wrong value "1e3" for FORGE_LEDGER_DAYS'],
  [{ stored: { ledgerDays: 1.5 } }, `Wrong value "1.5" for "ledgerDays" in ${path}`],
  [{ stored: { project: ["a"] } }, `Wrong value "a" for "project" in ${path}; expected text.`],
  [{ stored: { color: "blue" } }, `Wrong value "blue" for "color" in ${path}; expected auto, always or never.`],
])("%j is refused with its source", (sources, message) => {
  expect(problemOf(sources)).toContain(message);
});

test("a wrong value leaves the default, and the others as they are", () => {
  const { settings } = resolve({ env: { FORGE_LOG: "loud", FORGE_LEDGER_DAYS: "30" } });
  expect(settings).toMatchObject({ logLevel: "error", ledgerDays: 30 });
});

test("a wrong secret is not quoted", () => {
  const message = problemOf({ env: { FORGE_DATABASE_URL: "mysql://ada:hunter22@db/shop" } });
  expect(message).toContain("FORGE_DATABASE_URL");
  expect(message).toContain("postgres://");
  expect(message).not.toMatch(/hunter22|mysql/);
});

test.each(["postgres://ada:x@db/shop", "postgresql://db/shop?host=/run/postgresql"])("%s is a database", (url) => {
  expect(resolve({ env: { FORGE_DATABASE_URL: url } })).toMatchObject({ settings: { databaseUrl: url }, problems: [] });
});

test.each([
  ['{\n  "project": "a",\n  "token": hunter22\n}', "is not valid JSON"],
  ['{\n  "project": "a"\n  "logLevel": "info"\n}', "line 3"],
  ["[]", "must contain one JSON object"],
  ["", "is not valid JSON"],
])("a broken file %j is named, without its text", (text, problem) => {
  const { problems, settings } = resolve({ file: { path, text } });
  expect(problems.map(({ setting }) => setting)).toEqual(["file"]);
  expect(problems[0]?.error.message).toContain(path);
  expect(problems[0]?.error.message).toContain(problem);
  expect(problems[0]?.error.message).not.toContain("hunter22");
  expect(settings.project).toBe(".");
});

test("a byte order mark does no harm", () => {
  expect(resolve({ file: { path, text: '\uFEFF{"ledgerDays":5}' } }).settings.ledgerDays).toBe(5);
});

test.each([
  [{ stored: { worktrees: { path: "/big/trees" } } }, "/big/trees"],
  [{ stored: { "worktrees.path": "/big/trees" } }, "/big/trees"],
  [{ stored: { worktrees: { path: "/big/trees" } }, env: { FORGE_WORKTREES: "/other" } }, "/other"],
  [{ env: { FORGE_WORKTREES: "~/trees" } }, "~/trees"],
])("the folder for work trees: %j", (sources, expected) => {
  expect(resolve(sources)).toMatchObject({ settings: { worktreesPath: expected }, problems: [], warnings: [] });
});

test("a folder for work trees that depends on where Forge is started is refused", () => {
  expect(problemOf({ stored: { worktrees: { path: "trees" } } })).toContain("an absolute path");
});

test("an unknown key is a warning with what was likely meant", () => {
  const { warnings, problems } = resolve({ stored: { ledgerDay: 5, __proto__x: 1 } });
  expect(problems).toEqual([]);
  expect(warnings[0]).toBe(`${path}: unknown setting "ledgerDay". Did you mean \`ledgerDays\`?`);
  expect(warnings).toHaveLength(2);
});

test("no two settings share a flag, a variable or a key", () => {
  const all = Object.values(settingsTable);
  const names = all.flatMap(({ key, flag, variables }) => [
    `key ${key}`,
    ...(flag ? [`flag ${flag.name}`] : []),
    ...variables.map(({ name }) => `variable ${name}`),
  ]);
  expect(new Set(names).size).toBe(names.length);
});

test("the update check is on only where the file says so in so many words", () => {
  expect(resolve({ stored: { updateCheck: true } }).settings.updateCheck).toBe(true);
  const { settings, problems } = resolve({ stored: { updateCheck: "yes" } });
  expect(settings.updateCheck).toBe(false);
  expect(problems[0]?.error.message).toContain("expected true or false");
});

test.each([
  ["FORGE_API_URL", "https://forge.example/api", "apiUrl", "https://forge.example/api"],
  ["FORGE_SERVER_PORT", "8080", "serverPort", 8080],
  ["FORGE_TRUST_PROXY", "1", "trustProxy", true],
  ["FORGE_TRUST_PROXY", "false", "trustProxy", false],
  [
    "FORGE_CORS_ORIGINS",
    "https://a.example, https://b.example:8443",
    "corsOrigins",
    ["https://a.example", "https://b.example:8443"],
  ],
] as const)("%s=%s is understood", (variable, given, name, value) => {
  const { settings, problems } = resolve({ env: { [variable]: given } });
  expect(problems).toEqual([]);
  expect(settings[name]).toEqual(value);
});

test.each([
  ["FORGE_API_URL", "forge.example"],
  ["FORGE_API_URL", "ftp://forge.example"],
  ["FORGE_PUBLIC_URL", "https://ada:secret@forge.example"],
  ["FORGE_SERVER_PORT", "65536"],
  ["FORGE_TRUST_PROXY", "maybe"],
  ["FORGE_CORS_ORIGINS", "*"],
  ["FORGE_CORS_ORIGINS", "https://a.example/path"],
])("%s=%s is refused", (variable, given) => {
  const { problems } = resolve({ env: { [variable]: given } });
  expect(problems.map(({ error }) => error.details)).toEqual([{ source: variable }]);
});
