import { commandFor } from "../../../../commons/cli/command-for.ts";
import type { importTickets as importTool } from "../../tools/exchange/import-tickets.ts";
import { ticketSettings } from "../ticket-argument.ts";

export const importTickets = commandFor<typeof importTool>({
  tool: "import_tickets",
  name: "import",
  aliases: ["ticket import"],
  summary: "Import tickets from files",
  details:
    "Reads JSON (one ticket or an array), XML or Markdown; the format is detected from the name or the text. The tickets of a " +
    "file are imported all or none. A long JSON array is imported in parts; an error says what was imported before it. To run " +
    "it again then, use --on-existing skip; tickets without an id would be added again.",
  examples: [
    ["forge import tickets.json", "All tickets of a file."],
    ["forge import *.md --on-existing skip", "Many files; existing tickets stay as they are."],
    ["curl -s https://example.com/T-001.xml | forge import - --format xml", "From another program."],
  ],
  settings: ticketSettings,
  group: "tickets",
  arguments: [{ name: "file", required: true, rest: true, help: "Files; - reads standard input." }],
  options: { text: false, source: false, onExisting: { value: "HOW" } },
  async instead(input, out, run) {
    const { runImport } = await import("./run-import.ts");
    return runImport(input, out, run);
  },
  print: () => undefined,
});
