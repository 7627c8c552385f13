import { defineRoom } from "../../commons/house.ts";
import type { AccessRouteServices } from "./http/services.ts";
import type { AccessServices } from "./services.ts";
import { tools } from "./tools/index.ts";

/** Users, teams and tokens of a Forge server, and signing in to one. The server opens it itself, to know who is asking. */
export const accessRoom = defineRoom<AccessServices, AccessRouteServices>({
  name: "access",
  title: "Access",
  inLedger: false,
  tools,
  commands: async () => (await import("./cli/index.ts")).commands,
  routes: async () => (await import("./http/routes.ts")).accessRoutes,
  migrations: async () => (await import("./store/schema.ts")).migrations,
  open: async () => (await import("./open.ts")).openAccess,
});
