import { commandFor } from "../../../../commons/cli/command-for.ts";
import type { exportTicket } from "../../tools/exchange/export-ticket.ts";
import { offerTickets, ticketHelp, ticketSettings } from "../ticket-argument.ts";

export const exportTickets = commandFor<typeof exportTicket>({
  tool: "export_ticket",
  name: "export",
  aliases: ["ticket export"],
  summary: "Export tickets to files or to another program",
  details:
    "One ticket goes to stdout, or to the file of --output. Several go as one array to stdout or to a .json file, or into a " +
    "folder with one file each. `forge import` reads all of these.",
  examples: [
    ["forge export T-001 --format markdown", "To read or to edit."],
    ["forge export T-001 --output T-001.xml", "Into a file; its name gives the format."],
    ["forge export --all --output tickets/ --format markdown", "Every ticket, one file each."],
  ],
  settings: ticketSettings,
  group: "tickets",
  arguments: [{ name: "id", required: false, rest: true, help: ticketHelp }],
  options: { ticketId: false },
  own: {
    output: { type: "string", short: "o", value: "FILE", path: "file", help: "A file, or a folder for several." },
    all: { type: "boolean", help: "Every ticket, including archived ones." },
    force: { type: "boolean", help: "Replace existing files." },
  },
  complete: async (app, { option, typed }) => (option === undefined ? offerTickets(app, typed) : []),
  async instead({ format }, out, run) {
    const { runExport } = await import("./run-export.ts");
    return runExport(format, out, run);
  },
  print: () => undefined,
});
