import type { CommandFacts } from "../../kernel/definitions/command.ts";
import { rooms } from "../../rooms.ts";
import { describeCommands } from "../describe-rooms.ts";

/** Commands as data, which the build works out: each is parsed when it is asked for. */
export type FactsOfCommands = {
  all(): readonly CommandFacts[];
  of(name: string): CommandFacts | undefined;
};

export function factsAmong(all: readonly CommandFacts[]): FactsOfCommands {
  return { all: () => all, of: (name) => all.find((facts) => facts.name === name) };
}

/** The build puts the finished data in this module's place. */
export const commandFacts: FactsOfCommands = factsAmong(await describeCommands(rooms));
