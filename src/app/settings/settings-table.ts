import { anyOf } from "../../kernel/text/closest.ts";
import { defineSetting } from "./define-setting.ts";
import { serverSettings } from "./server-settings.ts";
import {
  oneOf,
  readAddress,
  readBoolean,
  readDatabaseUrl,
  readDays,
  readDebug,
  readFolder,
  readForceColour,
  readSwitch,
  readText,
} from "./setting-readers.ts";

const logLevels = ["silent", "error", "info", "debug"] as const;
const colours = ["auto", "always", "never"] as const;
const defaultLedgerDays = 90;

const readLevel = oneOf(logLevels);
const readColour = oneOf(colours);

/** Every setting, in one place: flags, variables, file keys, defaults and their help come from here. */
export const settingsTable = {
  databaseUrl: defineSetting<string | undefined>({
    key: "databaseUrl",
    variables: [{ name: "FORGE_DATABASE_URL", read: readDatabaseUrl }],
    read: readDatabaseUrl,
    default: undefined,
    secret: true,
    help: "Use this PostgreSQL database instead of .forge/forge.db in the project.",
  }),
  serverDatabaseUrl: defineSetting<string | undefined>({
    key: "serverDatabaseUrl",
    variables: [{ name: "DATABASE_URL", read: readDatabaseUrl }],
    read: readDatabaseUrl,
    default: undefined,
    secret: true,
    help: "PostgreSQL database of `forge serve`, if FORGE_DATABASE_URL is not set.",
  }),
  useDatabaseUrl: defineSetting<boolean>({
    key: "useDatabaseUrl",
    variables: [{ name: "FORGE_USE_DATABASE_URL", read: readSwitch }],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: projects use DATABASE_URL too, which is usually your application's database.",
  }),
  logLevel: defineSetting<(typeof logLevels)[number]>({
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
  ledgerDays: defineSetting<number>({
    key: "ledgerDays",
    variables: [{ name: "FORGE_LEDGER_DAYS", read: readDays }],
    read: readDays,
    default: defaultLedgerDays,
    secret: false,
    help: `Days to keep entries of the ledger (default: ${defaultLedgerDays}).`,
  }),
  project: defineSetting<string>({
    key: "project",
    flag: { name: "project", option: { type: "string", value: "DIR", path: "folder" }, read: readText },
    variables: [{ name: "FORGE_PROJECT", read: readText }],
    read: readText,
    default: ".",
    secret: false,
    help: "The project's folder (default: the current folder).",
  }),
  worktreesPath: defineSetting<string | undefined>({
    key: "worktrees.path",
    variables: [{ name: "FORGE_WORKTREES", read: readFolder }],
    read: readFolder,
    default: undefined,
    secret: false,
    help: "Folder for the work trees of tasks (default: ~/.forge/worktrees).",
  }),
  updateCheck: defineSetting<boolean>({
    key: "updateCheck",
    variables: [],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: `forge doctor` also checks for a newer version.",
  }),
  colour: defineSetting<(typeof colours)[number]>({
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
  apiUrl: defineSetting<string | undefined>({
    key: "apiUrl",
    variables: [{ name: "FORGE_API_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "Address of the Forge server to work with, like https://host/api.",
  }),
  token: defineSetting<string | undefined>({
    key: "token",
    variables: [{ name: "FORGE_TOKEN", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "API token for that server, instead of `forge login`.",
  }),
  appUrl: defineSetting<string | undefined>({
    key: "appUrl",
    variables: [{ name: "FORGE_APP_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "Web address where users approve a login (default: given by the server).",
  }),
  embeddingsUrl: defineSetting<string | undefined>({
    key: "embeddingsUrl",
    variables: [{ name: "FORGE_EMBEDDINGS_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "OpenAI-compatible API that embeds memories, like http://127.0.0.1:11434/v1 (default: the built-in encoder).",
  }),
  embeddingsModel: defineSetting<string | undefined>({
    key: "embeddingsModel",
    variables: [{ name: "FORGE_EMBEDDINGS_MODEL", read: readText }],
    read: readText,
    default: undefined,
    secret: false,
    help: "Embedding model of that API, or the folder of a local ONNX model.",
  }),
  embeddingsKey: defineSetting<string | undefined>({
    key: "embeddingsKey",
    variables: [{ name: "FORGE_EMBEDDINGS_KEY", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "API key for it.",
  }),
  qdrantUrl: defineSetting<string | undefined>({
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
  qdrantKey: defineSetting<string | undefined>({
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
  pgvectorUrl: defineSetting<string | undefined>({
    key: "pgvectorUrl",
    variables: [{ name: "FORGE_PGVECTOR_URL", read: readDatabaseUrl }],
    read: readDatabaseUrl,
    default: undefined,
    secret: true,
    help: "PostgreSQL database with pgvector that memories are shared through.",
  }),
  governanceLocal: defineSetting<boolean>({
    key: "governanceLocal",
    variables: [{ name: "FORGEGUARD_LOCAL", read: readSwitch }],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: governance reads this project's files and store, whatever else is set.",
  }),
  governanceUrl: defineSetting<string | undefined>({
    key: "governanceUrl",
    variables: [{ name: "FORGEGUARD_URL", read: readAddress }],
    read: readAddress,
    default: undefined,
    secret: false,
    help: "Address of the server to read contracts, projects and builds from.",
  }),
  governanceRoot: defineSetting<string | undefined>({
    key: "governanceRoot",
    variables: [{ name: "FORGEGUARD_ROOT", read: readText }],
    read: readText,
    default: undefined,
    secret: false,
    help: "Folder with Forge/Contracts (default: the project's folder).",
  }),
  governanceKey: defineSetting<string | undefined>({
    key: "governanceKey",
    variables: [{ name: "FORGEGUARD_API_KEY", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "API key for FORGEGUARD_URL.",
  }),
  ...serverSettings,
};

type Table = typeof settingsTable;

export type SettingName = keyof Table;

export type Settings = { [name in SettingName]: Table[name]["default"] };
