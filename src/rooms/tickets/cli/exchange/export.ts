import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { ticketFormats } from "../desk.ts";
import { offerTickets, ticketArgument, ticketSettings } from "../ticket-argument.ts";

export const exportTickets = defineCommand({
  name: "export",
  summary: "Write tickets out, for a file or another program",
  details:
    "One ticket goes to stdout, or to the file of --output. Several go as one array to stdout or a .json file, or into a " +
    "folder, a file each. `forge import` reads all of it.",
  examples: [
    ["forge export T-001 --format markdown", "To read, or to edit."],
    ["forge export T-001 --output T-001.xml", "Into a file, in the format of its name."],
    ["forge export --all --output tickets/ --format markdown", "Every ticket, a file each."],
  ],
  arguments: [{ ...ticketArgument, required: false, rest: true }],
  options: {
    format: { type: "string", choices: ticketFormats, help: "Else that of the --output's name, or json." },
    output: { type: "string", short: "o", value: "FILE", path: "file", help: "A file, or a folder for several." },
    all: { type: "boolean", help: "Every ticket, archived ones too." },
    force: { type: "boolean", help: "Replace files that are there." },
  },
  settings: ticketSettings,
  group: "tickets",
  complete: async (app: App, { option, typed }) => (option === undefined ? offerTickets(app, typed) : []),
  async run(app: App, { positionals, options }, out) {
    const { runExport } = await import("../work/index.ts");
    return runExport(app, { ...options, ids: positionals }, out);
  },
});
