import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { serverSettings } from "./server-settings.ts";

export const team = defineCommand({
  name: "team",
  summary: "List your teams on the server, and make another",
  details:
    "Each team has its own people and tickets. Whoever makes one is its admin; `forge login --team SLUG --replace` signs in to work in it.",
  examples: [
    ["forge team list", "Those you are in."],
    ["forge team create Engines", "Another one."],
  ],
  arguments: [
    { name: "action", required: true, help: "create or list." },
    { name: "name", required: false, help: "What a new team is called." },
  ],
  settings: serverSettings,
  group: "server",
  async complete(_app: App, place) {
    const { completeTeam } = await import("./work/index.ts");
    return completeTeam(place);
  },
  async run(app: App, { positionals: [action = "", name] }, out) {
    const { runTeam } = await import("./work/index.ts");
    return runTeam(app, { action, name }, out);
  },
});
