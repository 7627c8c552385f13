import { factsAmong } from "../../../src/app/commands/command-facts.ts";
import { describeCommandNames, describeCommands, describeToolsets } from "../../../src/app/describe-rooms.ts";
import type { RoomSet } from "../../../src/app/room-set.ts";
import type { App } from "../../../src/commons/cli/app.ts";
import type { ForgeRoom } from "../../../src/commons/house.ts";
import type { Command } from "../../../src/kernel/definitions/command.ts";
import type { Prompt } from "../../../src/kernel/definitions/prompt.ts";
import type { Resource } from "../../../src/kernel/definitions/resource.ts";
import type { Tool } from "../../../src/kernel/definitions/tool.ts";
import { rooms } from "../../../src/rooms.ts";

type FixtureParts<Services> = {
  name?: string;
  tools?: readonly Tool<Services>[];
  prompts?: readonly Prompt<Services>[];
  resources?: readonly Resource<Services>[];
  commands?: readonly Command<App>[];
  services?: Services;
};

/** A room made from parts, for a test. */
export function fixtureRoom<Services>(parts: FixtureParts<Services>): ForgeRoom<Services> {
  const { name = "fixture", tools = [], prompts = [], resources = [], commands = [], services } = parts;
  const byName = <T extends { name: string }>(all: readonly T[]) =>
    Object.fromEntries(all.map((one) => [one.name, async () => one]));
  return {
    name,
    title: "Fixture",
    fits: () => ({ fits: true, why: "always" }),
    tools: byName(tools),
    prompts: byName(prompts),
    resources: async () => resources,
    commands: async () => commands,
    open: async () => () => ({ services: services as Services }),
  };
}

/** Rooms as the build describes them; by default the program's own and these. */
export async function roomSetOf(own: readonly ForgeRoom[], all: readonly ForgeRoom[] = [...rooms, ...own]) {
  const [catalog, commandNames, commandFacts] = await Promise.all([
    describeToolsets(all),
    describeCommandNames(all),
    describeCommands(all),
  ]);
  return { rooms: all, catalog, commandNames, commandFacts: async () => factsAmong(commandFacts) } satisfies RoomSet;
}

/** The program with an additional room. */
export function withRoom<Services>(parts: FixtureParts<Services>): Promise<RoomSet> {
  return roomSetOf([fixtureRoom(parts) as ForgeRoom]);
}

/** The program with this room only, on the same store. */
export function onlyRoom<Services>(parts: FixtureParts<Services>): Promise<RoomSet> {
  const room = fixtureRoom(parts) as ForgeRoom;
  return roomSetOf([room], [room, schemaRoom]);
}

/** The tables of all rooms: a store has all or none of them. */
const schemaRoom: ForgeRoom = {
  name: "schema",
  title: "Schema",
  migrations: async () => (await Promise.all(rooms.map((room) => room.migrations?.() ?? []))).flat(),
};
