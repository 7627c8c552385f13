import type { House } from "../../commons/house.ts";
import type { OpenRoom } from "../../kernel/room.ts";
import { openAccessDesk } from "./remote/access-desk.ts";
import type { AccessDesk } from "./remote/desk.ts";

/** Signing in to a Forge server, and what a person does there. */
export function openAccess(house: House): OpenRoom<AccessDesk> {
  return { services: openAccessDesk(house) };
}
