import type { ForgeRoom } from "../commons/house.ts";
import type { Catalog } from "../hosts/mcp/lists/lists.ts";
import type { Lazy } from "../kernel/definitions/room.ts";
import { rooms } from "../rooms.ts";
import { readCatalog } from "./catalog.ts";
import type { FactsOfCommands } from "./commands/command-facts.ts";
import { type CommandName, commandNames } from "./commands/command-names.ts";

/** Rooms with what is known of them as data, so that a start loads none of their definitions. */
export type RoomSet = {
  rooms: readonly ForgeRoom[];
  catalog: Catalog;
  commandNames: readonly CommandName[];
  commandFacts: Lazy<FactsOfCommands>;
};

/** The rooms of this program; the build works out their data. */
export const builtRooms: RoomSet = {
  rooms,
  get catalog() {
    return readCatalog();
  },
  commandNames,
  commandFacts: async () => (await import("./commands/command-facts.ts")).commandFacts,
};
