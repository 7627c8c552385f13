import type { Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/definitions/room.ts";
import type { AccessRouteServices } from "./http/services.ts";
import type { Access } from "./service/access.ts";

/** People and their rights over HTTP, on the access that the server itself asks who is who. */
export function serveAccess(access: Access, publicUrl: () => string): ServedRoom<Visit, AccessRouteServices> {
  return {
    services: ({ from, bearer, signedIn }) => ({ access, from, bearer, signedIn, publicUrl: publicUrl() }),
  };
}
