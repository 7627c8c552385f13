import type { App } from "../../commons/cli/app.ts";
import { defineCommand } from "../../kernel/definitions/command.ts";

export const version = defineCommand({
  name: "version",
  summary: "Print the version of Forge",
  details: "With --json it also has the versions of Node.js and of the platform; include that in a bug report.",
  examples: [["forge version --json", "For a bug report."]],
  settings: [],
  group: "more",
  async run(app: App, _input, out) {
    const facts = { version: app.version, node: process.versions.node, platform: process.platform, arch: process.arch };
    out.data(facts, () => `forge ${app.version}`);
    return 0;
  },
});
