import type { App, CommandSource } from "../../commons/cli/app.ts";
import type { Command, CommandFacts } from "../../kernel/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { rooms } from "../../rooms.ts";
import { toolsetNames } from "../settings/profiles.ts";
import { builtInCommands } from "./built-in.ts";
import { commandNames } from "./command-names.ts";
import { triedWords } from "./tried-words.ts";

/** Every command of the program: their names at once, the commands themselves and their help when they are needed. */
export const commandSource: CommandSource = {
  names: commandNames,
  async load(name: string): Promise<{ command: Command<App>; facts: CommandFacts }> {
    const command = await loadCommand(name);
    if (!command.derive) return { command, facts: command };
    const facts = (await this.facts()).find((candidate) => candidate.name === name);
    if (!facts) throw new Error(`nothing is known of \`forge ${name}\``);
    return { command, facts };
  },
  facts: async () => (await import("./command-facts.ts")).commandFacts,
  unknown(word) {
    // A room that is not built yet has its name already.
    const built = rooms.map(({ name }) => name);
    if (toolsetNames.includes(word) && !built.includes(word)) {
      return new ForgeError("NOT_FOUND", `\`forge ${word}\` is not built yet.`);
    }
    const next = Object.hasOwn(triedWords, word) ? triedWords[word] : undefined;
    return next && new ForgeError("VALIDATION_ERROR", `There is no command \`forge ${word}\`.`, { next });
  },
};

async function loadCommand(name: string): Promise<Command<App>> {
  const known = commandNames.find((candidate) => candidate.name === name);
  const room = rooms.find((candidate) => candidate.name === known?.room);
  const command = room
    ? (await room.commands?.())?.find((candidate) => candidate.name === name)
    : await builtInCommands[name]?.();
  if (!command) throw new Error(`the command ${name} is listed and not there`);
  return command;
}
