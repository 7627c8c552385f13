import { toolFacts } from "../commons/cli/tool-facts.ts";
import type { ForgeRoom } from "../commons/house.ts";
import { describeToolset } from "../hosts/mcp/lists/catalog.ts";
import type { Catalog } from "../hosts/mcp/lists/lists.ts";
import type { CommandFacts } from "../kernel/definitions/command.ts";
import { loadToolset } from "../kernel/definitions/toolset.ts";
import { deriveFacts, loadAllCommands } from "./commands/all-commands.ts";
import type { CommandName } from "./commands/command-names.ts";

/** The toolsets as clients see them. */
export async function describeToolsets(rooms: readonly ForgeRoom[]): Promise<Catalog> {
  const toolsets = await Promise.all(rooms.map((room) => loadToolset(room)));
  return toolsets.map((toolset) => describeToolset(toolset));
}

export async function describeCommandNames(rooms: readonly ForgeRoom[]): Promise<CommandName[]> {
  return (await loadAllCommands(rooms)).map(({ command, room }) => ({
    name: command.name,
    summary: command.summary,
    aliases: command.aliases ?? [],
    ...(room !== undefined && { room }),
    ...(command.hidden && { hidden: true }),
    ...(command.isGroup && { isGroup: true }),
  }));
}

export async function describeCommands(rooms: readonly ForgeRoom[]): Promise<CommandFacts[]> {
  const commands = await loadAllCommands(rooms);
  return Promise.all(commands.map(async ({ command }) => deriveFacts(command, await toolFacts(rooms, command.tool))));
}
