import { ForgeError } from "../../kernel/errors.ts";
import type { Setting } from "./define-setting.ts";
import { type SettingName, type Settings, settingsTable } from "./settings-table.ts";
import { type SettingsFile, storedSettings } from "./stored-settings.ts";

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
