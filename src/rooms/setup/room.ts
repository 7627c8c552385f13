import { defineRoom } from "../../commons/house.ts";
import type { SetupServices } from "./services.ts";
import { tools } from "./tools/index.ts";

/** Connecting assistants to a project, and checking that everything is in place. */
export const setupRoom = defineRoom<SetupServices>({
  name: "setup",
  title: "Setup",
  inLedger: false,
  tools,
  commands: async () => (await import("./cli/index.ts")).commands,
  open: async () => (await import("./open.ts")).openSetupRoom,
});
