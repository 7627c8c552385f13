import { settingsTable } from "../../app/settings/config.ts";
import type { Option, Options } from "../../kernel/command.ts";

const settingFlags: [string, Option][] = Object.values(settingsTable).flatMap(({ flag, help }) =>
  flag ? [[flag.name, { ...flag.option, help: flag.help ?? help }]] : [],
);

/** What may stand beside any command. */
export const globalOptions: Options = {
  json: { type: "boolean", help: "Print the result, or the error, as JSON." },
  ...Object.fromEntries(settingFlags),
  version: { type: "boolean", short: "v", help: "Print the version." },
  help: { type: "boolean", short: "h", help: "Show help, and do nothing else." },
};
