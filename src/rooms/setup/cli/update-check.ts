import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";

export const updateCheck = defineCommand({
  name: "update-check",
  summary: "Ask the package registry whether there is a newer Forge",
  details:
    "Forge never asks by itself. This command does, once, and sends nothing but the package's name. With " +
    '"updateCheck": true in your settings file `forge doctor` asks as well. Exits with 0 whatever the answer; --json has it.',
  examples: [["forge update-check --json", "The answer for a script."]],
  options: {
    registry: {
      type: "string",
      value: "URL",
      help: "The registry to ask, where you install from another than npm's own.",
    },
  },
  settings: [],
  group: "more",
  async run(app: App, { options }, out) {
    const { newest, isNewer } = await app.newestVersion(options.registry, out.signal);
    out.data({ version: app.version, newest, isNewer }, () =>
      isNewer
        ? `Forge ${newest} has been published; this is ${app.version}. Update it the way it was installed.`
        : `Forge ${app.version} is the newest version.`,
    );
    return 0;
  },
});
