import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";

export const demo = defineCommand({
  name: "demo",
  summary: "Try Forge in a sample project",
  details:
    "Creates a small project with code, tests, tickets, tasks, rules, agents and memories, opens its board, and plays an " +
    "assistant that takes a ticket, works on a branch, runs the tests, fixes what they find, commits and proves its work. It " +
    "needs no API key and no network, takes about a minute, and changes nothing outside its folder.",
  examples: [
    ["forge demo", "Create ./forge-demo and watch."],
    ["forge demo /tmp/shop --yes", "Create it elsewhere, without asking."],
  ],
  arguments: [
    {
      name: "folder",
      required: false,
      help: "Where to create it; it must not exist or be empty (default: ./forge-demo).",
    },
  ],
  options: {
    yes: { type: "boolean", short: "y", help: "Do not ask." },
    port: { type: "number", integer: true, min: 0, max: 65_535, value: "N", help: "Port to listen on." },
    "no-browser": { type: "boolean", help: "Do not open the board in a browser." },
    exit: { type: "boolean", help: "Stop when the assistant has finished, instead of serving the board until Ctrl+C." },
  },
  settings: ["project"],
  group: "start",
  async run(app: App, { positionals: [folder], options }, out) {
    const { runDemo } = await import("./run-demo.ts");
    return runDemo(app, { folder, ...options, noBrowser: options["no-browser"] }, out);
  },
});
