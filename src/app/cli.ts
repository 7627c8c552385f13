import type { App } from "../commons/cli/app.ts";
import type { Cli } from "../hosts/cli/run-cli.ts";
import type { Redactor } from "../kernel/text/redactor.ts";
import type { Lifecycle } from "../platform/host/lifecycle.ts";
import { commandSource, makeCommandSource } from "./commands/command-source.ts";
import { openApp } from "./local/app.ts";
import { builtRooms, type RoomSet } from "./room-set.ts";
import type { Binary } from "./settings/binaries.ts";
import type { Resolution, Settings } from "./settings/config.ts";
import { settingsSource } from "./settings/source.ts";

type CliOptions = {
  binary: Binary;
  lifecycle: Lifecycle;
  redactor: Redactor;
  /** Default: the rooms that this program was built with. */
  roomSet?: RoomSet;
  /** Default: from the flags, the environment and the user's settings file. */
  resolve?: (flags: Record<string, unknown>) => Resolution;
};

/** The command line of this program. */
export function makeCli(options: CliOptions): Cli<Settings> {
  const { binary, lifecycle, redactor, roomSet, resolve = settingsSource.resolve } = options;
  return {
    commands: roomSet ? makeCommandSource(roomSet) : commandSource,
    binary,
    settings: {
      ...settingsSource,
      resolve(flags) {
        const resolved = resolve(flags);
        learnSecrets(redactor, resolved.settings);
        return resolved;
      },
    },
    open: (settings, settingsProblems): App =>
      openApp({ settings, settingsProblems, lifecycle, redactor, roomSet: roomSet ?? builtRooms }),
    welcome: async (...given) => (await import("./commands/welcome.ts")).showWelcome(...given),
  };
}

function learnSecrets(
  redactor: Redactor,
  { databaseUrl, serverDatabaseUrl, token, openidClientSecret }: Settings,
): void {
  redactor.learnAddress(databaseUrl);
  redactor.learnAddress(serverDatabaseUrl);
  for (const secret of [token, openidClientSecret]) redactor.learn(secret);
}
