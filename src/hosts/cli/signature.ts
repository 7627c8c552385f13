import { type SettingName, settingsTable } from "../../app/settings/config.ts";
import type { Command, Options } from "../../kernel/command.ts";
import type { App } from "./app.ts";

/** The command with the arguments, options and details it takes from a tool, where it mirrors one. */
export function complete(command: Command<App>, app: () => App): Command<App> {
  return command.derive ? { ...command, ...command.derive(app()) } : command;
}

/** Every option of every command. Where two differ under one name, the one that takes a value stands. */
export function optionsOfAll(commands: readonly Command<App>[], app: () => App): Options {
  const all: Options = {};
  for (const command of commands) {
    for (const [name, option] of Object.entries(complete(command, app).options ?? {})) {
      if (all[name] === undefined || all[name].type === "boolean") all[name] = option;
    }
  }
  return all;
}

const heededByAll: SettingName[] = ["logLevel", "colour"];

/** The settings a command heeds; none at all where it needs none, so that `forge help` works with any configuration. */
export function heededSettings({ settings }: Command<App>): SettingName[] {
  if (settings.length === 0) return [];
  return [...settings.filter(isSettingName), ...heededByAll];
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name);
}
