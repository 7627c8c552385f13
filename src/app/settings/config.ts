import type { Option } from "../../kernel/definitions/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { anyOf } from "../../kernel/text/closest.ts";
import {
  oneOf,
  type Reader,
  readAddress,
  readBoolean,
  readDatabaseUrl,
  readDays,
  readDebug,
  readFolder,
  readForceColour,
  readOrigins,
  readPort,
  readSwitch,
  readText,
} from "./setting-readers.ts";
import { type SettingsFile, storedSettings } from "./stored-settings.ts";

type Setting<T> = {
  /** Key in the settings file. */
  key: string;
  flag?: { name: string; option: Omit<Option, "help">; read: Reader<T>; help?: string };
  /** Variables that give it, the strongest first. */
  variables: { name: string; read: Reader<T>; help?: string }[];
  read: Reader<T>;
  default: T;
  /** Never shown, not even when wrong. */
  secret: boolean;
  /** Also for the flag and the variables that have no help of their own. */
  help: string;
};

const logLevels = ["silent", "error", "info", "debug"] as const;
const colours = ["auto", "always", "never"] as const;
const defaultLedgerDays = 90;

const readLevel = oneOf(logLevels);
const readColour = oneOf(colours);

/** Every setting, in one place: flags, variables, file keys, defaults and their help come from here. */
export const settingsTable = {
  databaseUrl: setting<string | undefined>({
    key: "databaseUrl",
    variables: [{ name: "FORGE_DATABASE_URL", read: readDatabaseUrl }],
    read: readDatabaseUrl,
    default: undefined,
    secret: true,
    help: "Use this PostgreSQL database instead of .forge/forge.db in the project.",
  }),
  serverDatabaseUrl: setting<string | undefined>({
    key: "serverDatabaseUrl",
    variables: [{ name: "DATABASE_URL", read: readDatabaseUrl }],
    read: readDatabaseUrl,
    default: undefined,
    secret: true,
    help: "PostgreSQL database of `forge serve`, if FORGE_DATABASE_URL is not set.",
  }),
  useDatabaseUrl: setting<boolean>({
    key: "useDatabaseUrl",
    variables: [{ name: "FORGE_USE_DATABASE_URL", read: readSwitch }],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: projects use DATABASE_URL too, which is usually your application's database.",
  }),
  logLevel: setting<(typeof logLevels)[number]>({
    key: "logLevel",
    flag: { name: "log-level", option: { type: "string", value: "LEVEL" }, read: readLevel },
    variables: [
      { name: "FORGE_LOG", read: readLevel },
      { name: "DEBUG", read: readDebug, help: "forge:* is the same as FORGE_LOG=debug." },
    ],
    read: readLevel,
    default: "error",
    secret: false,
    help: `How much to log on stderr: ${anyOf(logLevels)}.`,
  }),
  ledgerDays: setting<number>({
    key: "ledgerDays",
    variables: [{ name: "FORGE_LEDGER_DAYS", read: readDays }],
    read: readDays,
    default: defaultLedgerDays,
    secret: false,
    help: `Days to keep entries of the ledger (default: ${defaultLedgerDays}).`,
  }),
  project: setting<string>({
    key: "project",
    flag: { name: "project", option: { type: "string", value: "DIR", path: "folder" }, read: readText },
    variables: [{ name: "FORGE_PROJECT", read: readText }],
    read: readText,
    default: ".",
    secret: false,
    help: "The project's folder (default: the current folder).",
  }),
  worktreesPath: setting<string | undefined>({
    key: "worktrees.path",
    variables: [{ name: "FORGE_WORKTREES", read: readFolder }],
    read: readFolder,
    default: undefined,
    secret: false,
    help: "Folder for the work trees of tasks (default: ~/.forge/worktrees).",
  }),
  updateCheck: setting<boolean>({
    key: "updateCheck",
    variables: [],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: `forge doctor` also checks for a newer version.",
  }),
  colour: setting<(typeof colours)[number]>({
    key: "color",
    flag: {
      name: "no-color",
      option: { type: "boolean" },
      read: (value) => (value === true ? "never" : undefined),
      help: "No colors, even on a terminal.",
    },
    variables: [
      { name: "FORCE_COLOR", read: readForceColour, help: "Colors even on a pipe; 0 for none at all." },
      { name: "NO_COLOR", read: () => "never", help: "No colors, even on a terminal." },
    ],
    read: readColour,
    default: "auto",
    secret: false,
    help: `Colors: ${anyOf(colours)}.`,
  }),
  apiUrl: setting<string | undefined>({
    key: "apiUrl",
    variables: [{ name: "FORGE_API_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "Address of the Forge server to work with, like https://host/api.",
  }),
  token: setting<string | undefined>({
    key: "token",
    variables: [{ name: "FORGE_TOKEN", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "API token for that server, instead of `forge login`.",
  }),
  appUrl: setting<string | undefined>({
    key: "appUrl",
    variables: [{ name: "FORGE_APP_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "Web address where users approve a login (default: given by the server).",
  }),
  embeddingsUrl: setting<string | undefined>({
    key: "embeddingsUrl",
    variables: [{ name: "FORGE_EMBEDDINGS_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "OpenAI-compatible API that embeds memories, like http://127.0.0.1:11434/v1 (default: the built-in encoder).",
  }),
  embeddingsModel: setting<string | undefined>({
    key: "embeddingsModel",
    variables: [{ name: "FORGE_EMBEDDINGS_MODEL", read: readText }],
    read: readText,
    default: undefined,
    secret: false,
    help: "Embedding model of that API, or the folder of a local ONNX model.",
  }),
  embeddingsKey: setting<string | undefined>({
    key: "embeddingsKey",
    variables: [{ name: "FORGE_EMBEDDINGS_KEY", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "API key for it.",
  }),
  qdrantUrl: setting<string | undefined>({
    key: "qdrantUrl",
    variables: [
      { name: "FORGE_QDRANT_URL", read: readAddress },
      { name: "BMAD_QDRANT_URL", read: readAddress },
    ],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "Qdrant server that memories are shared through.",
  }),
  qdrantKey: setting<string | undefined>({
    key: "qdrantKey",
    variables: [
      { name: "FORGE_QDRANT_KEY", read: readText },
      { name: "BMAD_QDRANT_API_KEY", read: readText },
    ],
    read: readText,
    default: undefined,
    secret: true,
    help: "API key for the Qdrant server.",
  }),
  pgvectorUrl: setting<string | undefined>({
    key: "pgvectorUrl",
    variables: [{ name: "FORGE_PGVECTOR_URL", read: readDatabaseUrl }],
    read: readDatabaseUrl,
    default: undefined,
    secret: true,
    help: "PostgreSQL database with pgvector that memories are shared through.",
  }),
  governanceLocal: setting<boolean>({
    key: "governanceLocal",
    variables: [{ name: "FORGEGUARD_LOCAL", read: readSwitch }],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: governance reads this project's files and store, whatever else is set.",
  }),
  governanceUrl: setting<string | undefined>({
    key: "governanceUrl",
    variables: [{ name: "FORGEGUARD_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "Address of the server to read contracts, projects and builds from.",
  }),
  governanceRoot: setting<string | undefined>({
    key: "governanceRoot",
    variables: [{ name: "FORGEGUARD_ROOT", read: readText }],
    read: readText,
    default: undefined,
    secret: false,
    help: "Folder with Forge/Contracts (default: the project's folder).",
  }),
  governanceKey: setting<string | undefined>({
    key: "governanceKey",
    variables: [{ name: "FORGEGUARD_API_KEY", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "API key for FORGEGUARD_URL.",
  }),
  serverHost: serving<string>("serverHost", "FORGE_SERVER_HOST", readText, "Address that `forge serve` listens on."),
  serverPort: serving<number>("serverPort", "FORGE_SERVER_PORT", readPort, "Port that `forge serve` listens on."),
  serverData: serving<string>("serverData", "FORGE_SERVER_DATA", readText, "Folder for the data of `forge serve`."),
  publicUrl: serving<string>(
    "publicUrl",
    "FORGE_PUBLIC_URL",
    readAddress,
    "Address that users reach `forge serve` at.",
  ),
  trustProxy: setting<boolean>({
    key: "trustProxy",
    variables: [{ name: "FORGE_TRUST_PROXY", read: readSwitch }],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: `forge serve` takes client addresses from the proxy in front of it.",
  }),
  corsOrigins: setting<string[]>({
    key: "corsOrigins",
    variables: [{ name: "FORGE_CORS_ORIGINS", read: readOrigins }],
    read: readOrigins,
    default: [],
    secret: false,
    help: "Websites that may call `forge serve` from a browser.",
  }),
  openidIssuer: serving<string>(
    "openidIssuer",
    "FORGE_OPENID_ISSUER",
    readAddress,
    "OpenID provider that users of `forge serve` sign in with.",
  ),
  openidClientId: serving<string>(
    "openidClientId",
    "FORGE_OPENID_CLIENT_ID",
    readText,
    "Client id of `forge serve` at that provider.",
  ),
  openidClientSecret: setting<string | undefined>({
    key: "openidClientSecret",
    variables: [{ name: "FORGE_OPENID_CLIENT_SECRET", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "Client secret that belongs to it.",
  }),
  serverSecret: setting<string | undefined>({
    key: "serverSecret",
    variables: [{ name: "FORGE_SERVER_SECRET", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "Encrypts the key that `forge serve` signs receipts with, in its database.",
  }),
};

type Table = typeof settingsTable;

export type SettingName = keyof Table;

export type Settings = { [name in SettingName]: Table[name]["default"] };

export type Sources = {
  flags: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string | undefined>>;
  file: SettingsFile | undefined;
};

/** A setting with a wrong value; `file` means all of them. */
type Problem = { setting: SettingName | "file"; error: ForgeError };

/** A wrong value leaves the default in place and is a problem: commands that use the setting must stop. */
export type Resolution = { settings: Settings; problems: Problem[]; warnings: string[] };

/** Flags come before variables, the settings file and defaults; each wrong value is reported with its source. */
export function resolveSettings({ flags, env, file }: Sources): Resolution {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const stored = readStored(file, problems, warnings);

  function resolve<T>(name: SettingName, { flag, variables, key, read, default: fallback, secret }: Setting<T>): T {
    const candidates = [
      ...(flag ? [{ source: `--${flag.name}`, value: flags[flag.name], read: flag.read }] : []),
      ...variables.map((variable) => ({ source: variable.name, value: env[variable.name], read: variable.read })),
      { source: `"${key}" in ${file?.path}`, value: stored[key], read },
    ];
    for (const candidate of candidates) {
      if (candidate.value === undefined || candidate.value === "") continue;
      const value = candidate.read(candidate.value);
      if (value instanceof Error) {
        problems.push({ setting: name, error: wrongValue(candidate.source, candidate.value, secret, value.message) });
        return fallback;
      }
      if (value !== undefined) return value;
    }
    return fallback;
  }

  const settings = {
    databaseUrl: resolve("databaseUrl", settingsTable.databaseUrl),
    serverDatabaseUrl: resolve("serverDatabaseUrl", settingsTable.serverDatabaseUrl),
    useDatabaseUrl: resolve("useDatabaseUrl", settingsTable.useDatabaseUrl),
    logLevel: resolve("logLevel", settingsTable.logLevel),
    ledgerDays: resolve("ledgerDays", settingsTable.ledgerDays),
    project: resolve("project", settingsTable.project),
    worktreesPath: resolve("worktreesPath", settingsTable.worktreesPath),
    updateCheck: resolve("updateCheck", settingsTable.updateCheck),
    colour: resolve("colour", settingsTable.colour),
    apiUrl: resolve("apiUrl", settingsTable.apiUrl),
    token: resolve("token", settingsTable.token),
    appUrl: resolve("appUrl", settingsTable.appUrl),
    embeddingsUrl: resolve("embeddingsUrl", settingsTable.embeddingsUrl),
    embeddingsModel: resolve("embeddingsModel", settingsTable.embeddingsModel),
    embeddingsKey: resolve("embeddingsKey", settingsTable.embeddingsKey),
    qdrantUrl: resolve("qdrantUrl", settingsTable.qdrantUrl),
    qdrantKey: resolve("qdrantKey", settingsTable.qdrantKey),
    pgvectorUrl: resolve("pgvectorUrl", settingsTable.pgvectorUrl),
    governanceLocal: resolve("governanceLocal", settingsTable.governanceLocal),
    governanceUrl: resolve("governanceUrl", settingsTable.governanceUrl),
    governanceRoot: resolve("governanceRoot", settingsTable.governanceRoot),
    governanceKey: resolve("governanceKey", settingsTable.governanceKey),
    serverHost: resolve("serverHost", settingsTable.serverHost),
    serverPort: resolve("serverPort", settingsTable.serverPort),
    serverData: resolve("serverData", settingsTable.serverData),
    publicUrl: resolve("publicUrl", settingsTable.publicUrl),
    trustProxy: resolve("trustProxy", settingsTable.trustProxy),
    corsOrigins: resolve("corsOrigins", settingsTable.corsOrigins),
    openidIssuer: resolve("openidIssuer", settingsTable.openidIssuer),
    openidClientId: resolve("openidClientId", settingsTable.openidClientId),
    openidClientSecret: resolve("openidClientSecret", settingsTable.openidClientSecret),
    serverSecret: resolve("serverSecret", settingsTable.serverSecret),
  };
  if (settings.useDatabaseUrl && settings.databaseUrl === undefined) shareDatabase(settings, problems);
  return { settings, problems, warnings };
}

/** The user has said that projects use the variable that applications use too. */
function shareDatabase(settings: Settings, problems: Problem[]): void {
  settings.databaseUrl = settings.serverDatabaseUrl;
  const problem = problems.find(({ setting: name }) => name === "serverDatabaseUrl");
  if (problem) problems.push({ ...problem, setting: "databaseUrl" });
}

function readStored(file: SettingsFile | undefined, problems: Problem[], warnings: string[]): Record<string, unknown> {
  if (!file) return {};
  const known = Object.values(settingsTable).map(({ key }) => key);
  const stored = storedSettings(file, known);
  if (stored instanceof ForgeError) {
    problems.push({ setting: "file", error: stored });
    return {};
  }
  warnings.push(...stored.warnings);
  return stored.values;
}

function wrongValue(source: string, value: unknown, secret: boolean, expectation: string): ForgeError {
  const shown = secret ? "" : ` "${String(value).slice(0, 64)}"`;
  return new ForgeError("CONFIG_ERROR", `Wrong value${shown} for ${source}; expected ${expectation}.`, {
    details: { source },
    next: [`Correct ${source}, or leave it out.`],
  });
}

function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/** A setting of `forge serve`, whose options on the command line come first. */
function serving<T>(key: string, variable: string, read: Reader<T>, help: string): Setting<T | undefined> {
  return { key, variables: [{ name: variable, read }], read, default: undefined, secret: false, help };
}
