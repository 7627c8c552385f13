import type { ForgeRoom } from "./commons/house.ts";
import { accessRoom } from "./rooms/access/room.ts";
import { activityRoom } from "./rooms/activity/room.ts";
import { governanceRoom } from "./rooms/governance/room.ts";
import { memoryRoom } from "./rooms/memory/room.ts";
import { proofRoom } from "./rooms/proof/room.ts";
import { registryRoom } from "./rooms/registry/room.ts";
import { setupRoom } from "./rooms/setup/room.ts";
import { ticketsRoom } from "./rooms/tickets/room.ts";
import { workbenchRoom } from "./rooms/workbench/room.ts";

/** Every room, in the order their tools and commands are listed. Adding a room is adding its line. */
export const rooms: readonly ForgeRoom[] = [
  ticketsRoom,
  workbenchRoom,
  proofRoom,
  governanceRoom,
  registryRoom,
  memoryRoom,
  activityRoom,
  accessRoom,
  setupRoom,
];
