import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { serverSettings } from "../../../access/cli/server-settings.ts";

export const pushLocal = defineCommand({
  name: "push-local",
  summary: "Move this project's own tickets to the Forge server",
  details:
    "Brings every ticket of this project's own store to the server that you are signed in to. A ticket keeps its id where it " +
    "is free there, and else gets a new one. Nothing is taken away here: each ticket notes where it went, and running the " +
    "command again moves only those that are new.",
  examples: [
    ["forge push-local", "Move them, and list the ids that changed."],
    ["forge push-local --json", "The same with every id, for a script."],
  ],
  settings: [...serverSettings, "project", "databaseUrl", "ledgerDays"],
  group: "server",
  async run(app: App, _input, out) {
    const { runPushLocal } = await import("../../../access/cli/work/index.ts");
    return runPushLocal(app, out);
  },
});
