import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../../kernel/text/escape-text.ts";
import { list, problems, sessionView } from "../../model/project-schemas.ts";
import type { MemoryServices } from "../../model/services.ts";
import { noteProjectText } from "../../recall/note-foreign.ts";

export const listSessions = defineTool({
  name: "list_sessions",
  title: "BMAD sessions",
  description: "The BMAD session branches of the project, with their runs.",
  effect: "read",
  input: z.object({ status: z.enum(["all", "active", "completed", "failed"]).default("all") }),
  output: z.object({ sessions: list(sessionView), problems }),
  async run(services: MemoryServices, { status }, call) {
    const { runs, problems } = await services.bmad.runs();
    const sessions = await runs.sessions(status);
    await noteProjectText(services, call);
    return { sessions, problems };
  },
  present: (output) => escapeContent(output).value,
});
