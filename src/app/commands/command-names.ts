import { loadAllCommands } from "./all-commands.ts";

/** What a command can be called by, and which room has it. */
export type CommandName = { name: string; aliases: readonly string[]; room?: string; hidden?: true };

/** The build puts the finished data in this module's place. */
export const commandNames: readonly CommandName[] = (await loadAllCommands()).map(({ command, room }) => ({
  name: command.name,
  aliases: command.aliases ?? [],
  ...(room !== undefined && { room }),
  ...(command.hidden && { hidden: true }),
}));
