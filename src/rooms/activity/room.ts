import { defineRoom } from "../../commons/house.ts";
import type { ActivityRouteServices } from "./http/services.ts";
import type { ActivityServices } from "./open.ts";

/** The ledger, for everyone who wants to know what was done. */
export const activityRoom = defineRoom<ActivityServices, ActivityRouteServices>({
  name: "activity",
  title: "Activity",
  guidance: "Read forge://activity to see what was done in this project recently, by whom, and with what outcome.",
  resources: async () => (await import("./resources/activity.ts")).resources,
  commands: async () => (await import("./cli/index.ts")).commands,
  routes: async () => (await import("./http/routes.ts")).activityRoutes,
  open: async () => (await import("./open.ts")).openActivity,
  serve: async () => (await import("./open.ts")).serveActivity,
});
