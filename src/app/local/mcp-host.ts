import { commandLineFor } from "../../commons/cli/command-line.ts";
import type { McpLists } from "../../hosts/mcp/lists/lists.ts";
import { McpHost } from "../../hosts/mcp/mcp-host.ts";
import { wordForAssistant } from "../../hosts/mcp/wording.ts";
import { builtRooms, type RoomSet } from "../room-set.ts";
import type { Program } from "./program.ts";
import { servedToolset } from "./served-toolset.ts";

type HostOptions = {
  roomSet?: RoomSet;
  program: Program;
  /** Names of the toolsets served. */
  toolsets: readonly string[];
  lists: McpLists;
  readOnly: boolean;
};

/** The rooms of a project, served to assistants. */
export async function openMcpHost(options: HostOptions): Promise<McpHost> {
  const { roomSet = builtRooms, program, toolsets, lists, readOnly } = options;
  const { rooms, catalog, commandFacts } = roomSet;
  const [runtime, commands] = await Promise.all([program.openShared(), commandFacts()]);
  const callable = new Set(
    catalog
      .filter(({ name }) => toolsets.includes(name))
      .flatMap(({ tools, unlisted }) => [...tools.map(({ name }) => name), ...unlisted])
      .filter((name) => !lists.excluded.includes(name)),
  );
  return new McpHost({
    runtime,
    toolsets: rooms
      .filter(({ name }) => toolsets.includes(name))
      .map((room) => servedToolset(room, program, lists.excluded)),
    lists,
    readOnly,
    word: wordForAssistant(
      (name) => callable.has(name),
      (tool, input) => commandLineFor(commands.all(), tool, input),
    ),
    principal: (agent, instance) => program.principal(agent, instance),
  });
}
