import type { SettingsSource } from "../../hosts/cli/settings-source.ts";
import type { Option } from "../../kernel/definitions/command.ts";
import { environment } from "../../platform/host/environment.ts";
import { readSettingsFile } from "../../platform/state/settings-file.ts";
import { resolveSettings } from "./config.ts";
import { type SettingName, type Settings, settingsTable } from "./settings-table.ts";

const flags: [string, Option][] = Object.values(settingsTable).flatMap(({ flag, help }) =>
  flag ? [[flag.name, { ...flag.option, help: flag.help ?? help }]] : [],
);

/** The settings as the command line sees them. */
export const settingsSource: SettingsSource<Settings> = {
  options: Object.fromEntries(flags),
  variables: (names) =>
    names.filter(isSettingName).flatMap((name) => {
      const { variables, help } = settingsTable[name];
      return variables.map((variable): [string, string] => [variable.name, variable.help ?? help]);
    }),
  all: Object.values(settingsTable).map(({ key, flag, variables, help }) => ({
    key,
    flag: flag?.name,
    variables: variables.map(({ name }) => name),
    help,
  })),
  resolve: (given) => resolveSettings({ flags: given, env: environment, file: readSettingsFile() }),
};

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name);
}
