import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../../kernel/text/escape-text.ts";
import { problems, runView, sprintView, text } from "../../model/project-schemas.ts";
import type { MemoryServices } from "../../model/services.ts";
import { noteProjectText } from "../../recall/note-foreign.ts";

export const getWorkflowStatus = defineTool({
  name: "get_workflow_status",
  title: "Workflow status",
  description:
    "Where a BMAD workflow run is (default: the newest), or the sprint's epics and stories in projects without runs.",
  effect: "read",
  input: z.object({ run_id: z.string().max(200).optional(), branch: z.string().max(200).optional() }),
  output: z.object({
    kind: z.enum(["run", "sprint", "none"]),
    run: runView.optional(),
    unreadable: z
      .object({ run_id: text, branch: text, source: text })
      .optional()
      .describe("A newer run whose state cannot be read"),
    sprint: sprintView.optional(),
    problems,
  }),
  async run(services: MemoryServices, input, call) {
    const { bmad } = services;
    const { runs, problems } = await bmad.runs();
    const found = await runs.status(input);
    await noteProjectText(services, call);
    if (found) return { kind: "run" as const, ...found, problems };
    const { sprint, problems: more } = await bmad.sprintStatus();
    return {
      kind: sprint ? ("sprint" as const) : ("none" as const),
      ...(sprint && { sprint }),
      problems: [...problems, ...more],
    };
  },
  present: (output) => escapeContent(output).value,
});
