import type { Options } from "../../kernel/definitions/command.ts";
import type { ForgeError } from "../../kernel/errors.ts";
import type { SettingFacts } from "./help.ts";

/** A setting with a wrong value; `file` means all of them. */
type SettingProblem = { setting: string; error: ForgeError };

/** The settings as the command line sees them: their flags, their variables, and their values. */
export type SettingsSource<Settings> = {
  /** Flags that every command takes. */
  options: Options;
  /** The environment variables of these settings, for help. */
  variables(names: readonly string[]): [variable: string, help: string][];
  /** Every setting, for help. */
  all: readonly SettingFacts[];
  resolve(flags: Record<string, unknown>): {
    settings: Settings;
    problems: SettingProblem[];
    warnings: string[];
  };
};
