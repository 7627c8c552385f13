import type { App } from "../../commons/cli/app.ts";
import type { ForgeRoom } from "../../commons/house.ts";
import type { Command, CommandFacts, ToolFacts } from "../../kernel/definitions/command.ts";
import { builtInCommands } from "./built-in.ts";

type OwnedCommand = { command: Command<App>; room?: string };

/** Every command with its owner. The build runs this; the program knows the result as data. */
export async function loadAllCommands(rooms: readonly ForgeRoom[]): Promise<OwnedCommand[]> {
  const ofRooms = await Promise.all(
    rooms.map(async (room) => ((await room.commands?.()) ?? []).map((command) => ({ command, room: room.name }))),
  );
  const builtIn = await Promise.all(Object.values(builtInCommands).map(async (load) => ({ command: await load() })));
  return [...builtIn, ...ofRooms.flat()];
}

/** A command as data, with what it takes from its tool. */
export function deriveFacts(command: Command<App>, tool: ToolFacts | undefined): CommandFacts {
  const { run: _run, complete: _complete, helpOn: _helpOn, derive, ...facts } = command;
  if (!derive) return facts;
  if (!tool) throw new Error(`\`forge ${command.name}\` calls ${command.tool}, which does not exist`);
  return { ...facts, ...derive(tool) };
}
