import type { App, CommandSource } from "../../commons/cli/app.ts";
import type { Command } from "../../kernel/definitions/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { builtRooms, type RoomSet } from "../room-set.ts";
import { notBuilt, toolsetNames } from "../settings/profiles.ts";
import { builtInCommands } from "./built-in.ts";
import { triedWords } from "./tried-words.ts";

/** Every command of some rooms: their names at once, the commands and their help when they are needed. */
export function makeCommandSource({ rooms, commandNames, commandFacts }: RoomSet): CommandSource {
  async function loadCommand(name: string): Promise<Command<App>> {
    const known = commandNames.find((candidate) => candidate.name === name);
    const room = rooms.find((candidate) => candidate.name === known?.room);
    const command = room
      ? (await room.commands?.())?.find((candidate) => candidate.name === name)
      : await builtInCommands[name]?.();
    if (!command) throw new Error(`the command ${name} is listed and does not exist`);
    return command;
  }

  return {
    names: commandNames,
    async load(name) {
      const command = await loadCommand(name);
      if (!command.derive) return { command, facts: command };
      const facts = (await commandFacts()).of(name);
      if (!facts) throw new Error(`nothing is known of \`forge ${name}\``);
      return { command, facts };
    },
    facts: async () => (await commandFacts()).all(),
    unknown(word) {
      // The names of rooms to come are reserved.
      const built = rooms.filter(({ fits }) => fits).map(({ name }) => name);
      if (toolsetNames.includes(word) && !built.includes(word)) return notBuilt(word, built);
      const next = Object.hasOwn(triedWords, word) ? triedWords[word] : undefined;
      return next && new ForgeError("VALIDATION_ERROR", `There is no command \`forge ${word}\`.`, { next });
    },
  };
}

/** The commands of this program. */
export const commandSource = makeCommandSource(builtRooms);
