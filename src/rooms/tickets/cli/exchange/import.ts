import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { ticketFormats } from "../desk.ts";
import { ticketSettings } from "../ticket-argument.ts";

export const importTickets = defineCommand({
  name: "import",
  summary: "Take in tickets from files",
  details:
    "JSON (one ticket or an array), XML or Markdown; the format is told from the name or the text. A file's tickets are taken " +
    "in all or none; a long JSON array goes in parts, and an error says what was taken in before it. Running it again then " +
    "needs --on-existing skip; tickets without an id would be added again.",
  examples: [
    ["forge import tickets.json", "All tickets of a file."],
    ["forge import *.md --on-existing skip", "Many files, and those that are there stay as they are."],
    ["curl -s https://example.com/T-001.xml | forge import - --format xml", "From another program."],
  ],
  arguments: [{ name: "file", required: true, rest: true, help: "Files; - reads standard input." }],
  options: {
    format: { type: "string", choices: ticketFormats, help: "What the files are, where it cannot be told." },
    "on-existing": {
      type: "string",
      value: "HOW",
      choices: ["refuse", "skip", "replace", "new-id"],
      help: "What to do with a ticket whose id is there already.",
      default: "refuse",
    },
  },
  settings: ticketSettings,
  group: "tickets",
  async run(app: App, { positionals, options }, out) {
    const { runImport } = await import("../work/index.ts");
    return runImport(app, { files: positionals, format: options.format, onExisting: options["on-existing"] }, out);
  },
});
