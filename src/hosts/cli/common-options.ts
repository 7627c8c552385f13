import type { Options } from "../../kernel/definitions/command.ts";

/** The options of every command, with the flags of the settings. */
export function commonOptionsOf(settings: Options): Options {
  return {
    json: { type: "boolean", help: "Print the result, or the error, as JSON." },
    ...settings,
    version: { type: "boolean", short: "v", help: "Print the version." },
    help: { type: "boolean", short: "h", help: "Show help." },
  };
}
