import type { CommandFacts } from "../../kernel/command.ts";
import { rooms } from "../../rooms.ts";
import { toolFacts } from "../tool-facts.ts";
import { factsOf, loadAllCommands } from "./all-commands.ts";

/** Every command as data. The build puts the finished data in this module's place. */
export const commandFacts: readonly CommandFacts[] = await Promise.all(
  (await loadAllCommands()).map(async ({ command }) => factsOf(command, await toolFacts(rooms, command.tool))),
);
