import { commandSource } from "../../../src/app/commands/command-source.ts";
import { settingsSource } from "../../../src/app/settings/source.ts";
import { commonOptionsOf } from "../../../src/hosts/cli/common-options.ts";
import { findCommand } from "../../../src/hosts/cli/find-command.ts";
import { parseArguments } from "../../../src/hosts/cli/parse.ts";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { wordsOf } from "./cli.ts";

const commonOptions = commonOptionsOf(settingsSource.options);

/** Throws if the command line accepts no such command, argument or option. Words in capitals stand for the reader's own. */
export async function expectCommandLine(line: string): Promise<void> {
  const { name = "", rest } = await findCommand(wordsOf(line), commandSource, commonOptions, undefined);
  const { facts } = await commandSource.load(name);
  if (facts.isGroup || rest.includes("--help")) return;
  try {
    parseArguments(name, facts, rest, commonOptions);
  } catch (error) {
    // A placeholder is not a choice or a number: the reader replaces it.
    if (!(error instanceof ForgeError) || !/cannot be "[A-Z][A-Z_/-]*"/.test(error.message)) throw error;
  }
}
