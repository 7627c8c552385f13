import type { App } from "../commons/cli/app.ts";
import type { Cli } from "../hosts/cli/run-cli.ts";
import type { Redactor } from "../kernel/text/redactor.ts";
import { environment } from "../platform/host/environment.ts";
import type { Lifecycle } from "../platform/host/lifecycle.ts";
import { commandSource, makeCommandSource } from "./commands/command-source.ts";
import { openApp } from "./local/app.ts";
import { builtRooms, type RoomSet } from "./room-set.ts";
import type { Binary } from "./settings/binaries.ts";
import type { Resolution } from "./settings/config.ts";
import type { Settings } from "./settings/settings-table.ts";
import { settingsSource } from "./settings/source.ts";

type CliOptions = {
  binary: Binary;
  lifecycle: Lifecycle;
  redactor: Redactor;
  /** Default: the rooms that this program was built with. */
  roomSet?: RoomSet;
  atKeyboard?: boolean;
  /** Default: from the flags, the environment and the user's settings file. */
  resolve?: (flags: Record<string, unknown>) => Resolution;
};

/** The command line of this program. */
export function makeCli(options: CliOptions): Cli<Settings> {
  const { binary, lifecycle, redactor, roomSet = builtRooms, resolve = settingsSource.resolve, ...rest } = options;
  return {
    commands: roomSet === builtRooms ? commandSource : makeCommandSource(roomSet),
    binary,
    settings: {
      ...settingsSource,
      resolve(flags) {
        const resolved = resolve(withProject(flags, binary));
        learnSecrets(redactor, resolved.settings);
        return resolved;
      },
    },
    open: (settings, settingsProblems): App =>
      openApp({ ...rest, settings, settingsProblems, lifecycle, redactor, roomSet }),
    welcome: async (...given) => (await import("./commands/welcome.ts")).showWelcome(...given),
  };
}

/** The project that the binary's own variable names, unless a flag does. */
function withProject(flags: Record<string, unknown>, { projectVariable }: Binary): Record<string, unknown> {
  const project = projectVariable === undefined ? undefined : environment[projectVariable];
  return project === undefined || flags["project"] !== undefined ? flags : { ...flags, project };
}

function learnSecrets(redactor: Redactor, settings: Settings): void {
  const { databaseUrl, serverDatabaseUrl, pgvectorUrl } = settings;
  const { token, openidClientSecret, serverSecret, embeddingsKey, qdrantKey } = settings;
  for (const address of [databaseUrl, serverDatabaseUrl, pgvectorUrl]) redactor.learnAddress(address);
  for (const secret of [token, openidClientSecret, serverSecret, embeddingsKey, qdrantKey]) redactor.learn(secret);
}
