import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { serverSettings } from "./server-settings.ts";

export const whoami = defineCommand({
  name: "whoami",
  summary: "Show who you are on the Forge server",
  details: "Asks the server that you are signed in to, so it also tells whether the sign-in still holds.",
  examples: [
    ["forge whoami", "Your name, role and teams."],
    ["forge whoami --json", "The same for a script, with what you may do."],
  ],
  settings: serverSettings,
  group: "server",
  async run(app: App, _input, out) {
    const { runWhoami } = await import("./work/index.ts");
    return runWhoami(app, out);
  },
});
