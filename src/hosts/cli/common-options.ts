import type { CommandFacts, Options } from "../../kernel/definitions/command.ts";

/** The options of every command, with the flags of the settings. */
export function commonOptionsOf(settings: Options): Options {
  return {
    json: { type: "boolean", help: "Print the result, or the error, as JSON." },
    ...settings,
    version: { type: "boolean", short: "v", help: "Print the version." },
    help: { type: "boolean", short: "h", help: "Show help." },
  };
}

/** The common options that a command does not replace by one of its own: `--project ID` of `forge build start`. */
export function optionsBeside(facts: Pick<CommandFacts, "options">, common: Options): Options {
  return Object.fromEntries(Object.entries(common).filter(([name]) => !Object.hasOwn(facts.options ?? {}, name)));
}
