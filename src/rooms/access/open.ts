import type { House } from "../../commons/house.ts";
import type { OpenRoom } from "../../kernel/definitions/room.ts";
import { LoginSession } from "./remote/login-session.ts";
import type { AccessServices } from "./services.ts";

/** Signing in to a Forge server, and the user's account there. */
export function openAccess(house: House): OpenRoom<AccessServices> {
  return { services: { login: new LoginSession(house) } };
}
