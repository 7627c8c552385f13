import { defineRoom } from "../../commons/house.ts";
import type { AccessRouteServices } from "./http/services.ts";
import type { AccessDesk } from "./remote/desk.ts";
import { tools } from "./tools/index.ts";

/** People, teams and tokens of a Forge server, and signing in to one. The server itself opens it, to know who asks. */
export const accessRoom = defineRoom<AccessDesk, AccessRouteServices>({
  name: "access",
  title: "Access",
  tools,
  commands: async () => (await import("./cli/index.ts")).commands,
  routes: async () => (await import("./http/routes.ts")).accessRoutes,
  migrations: async () => (await import("./store/schema.ts")).migrations,
  open: async () => (await import("./open.ts")).openAccess,
});
