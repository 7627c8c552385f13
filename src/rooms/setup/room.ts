import { defineRoom } from "../../commons/house.ts";
import type { SetupServices } from "./open.ts";

/** Connecting assistants to a project, and checking that all is in place. */
export const setupRoom = defineRoom<SetupServices>({
  name: "setup",
  title: "Setup",
  commands: async () => (await import("./cli/index.ts")).commands,
  open: async () => (await import("./open.ts")).openSetupRoom,
});
