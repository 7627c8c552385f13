import type { App, ToolsetReport } from "../../../commons/cli/app.ts";
import { type Column, table } from "../../../commons/cli/print/table.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";
import { completeSelection, readSelection, selectionOptions } from "./selection.ts";

const columns: Column<ToolsetReport>[] = [
  { title: "TOOLSET", cell: ({ name }) => name, paint: ({ served }) => (served ? "green" : "dim") },
  { title: "SERVED", cell: ({ served }) => (served ? "yes" : "no") },
  { title: "TOOLS", align: "right", cell: ({ tools }) => String(tools) },
  { title: "PROMPTS", align: "right", cell: ({ prompts }) => String(prompts) },
  { title: "RESOURCES", align: "right", cell: ({ resources }) => String(resources) },
  { title: "TOKENS", align: "right", cell: ({ tokens }) => String(tokens) },
  { title: "WHY", cell: ({ reason }) => reason },
];

export const toolsets = defineCommand({
  name: "toolsets",
  summary: "Show which toolsets are served here, and why",
  details:
    "A toolset is a group of tools for one kind of work. By default Forge serves those that fit the project. TOKENS is about " +
    "how much of an assistant's context the listed tools take. Clients that have file tools of their own are not shown " +
    "Forge's, unless you name the toolsets; they can always call them.",
  examples: [
    ["forge toolsets", "What `forge mcp` serves in this folder."],
    ["forge toolsets --toolsets all", "What it would serve with all toolsets."],
  ],
  options: selectionOptions,
  settings: ["project"],
  group: "start",
  complete: completeSelection,
  async run(app: App, { options }, out) {
    const reports = app.toolsets.report(readSelection(options, app));
    out.data(reports, () => `${table(columns, reports, out)}\n\n${total(reports)}`);
    return 0;
  },
});

function total(reports: ToolsetReport[]): string {
  const served = reports.filter((report) => report.served);
  const tools = served.reduce((sum, report) => sum + report.tools, 0);
  const tokens = served.reduce((sum, report) => sum + report.tokens, 0);
  return `Served: ${tools} ${tools === 1 ? "tool" : "tools"}, about ${tokens} tokens.`;
}
