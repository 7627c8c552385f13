import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../../kernel/text/escape-text.ts";
import { categories, orderFailures } from "../../bmad/museum.ts";
import { failureView, problems } from "../../model/project-schemas.ts";
import type { MemoryServices } from "../../model/services.ts";
import { noteForeignFailures, noteProjectText } from "../../recall/note-foreign.ts";

const maxFailures = 500;

export const getFailureMuseum = defineTool({
  name: "get_failure_museum",
  title: "Failure museum",
  description:
    "Past mistakes of this project and their lessons, most critical first. Read it before starting similar work.",
  effect: "read",
  input: z.object({
    category: z.enum(["all", ...categories]).default("all"),
    top_n: z.int().min(1).max(maxFailures).optional(),
  }),
  output: z.object({ total: z.number(), failures: z.array(failureView).max(maxFailures), problems }),
  async run(services: MemoryServices, { category, top_n: limit = maxFailures }, call) {
    const { failures, problems } = await services.bmad.museum();
    const filed = await services.failures.list();
    if (failures.length > 0) await noteProjectText(services, call);
    await noteForeignFailures(services, call, filed);
    const all = orderFailures([...filed, ...failures].filter((one) => category === "all" || one.category === category));
    return { total: all.length, failures: all.slice(0, limit), problems };
  },
  present: (output) => escapeContent(output).value,
});
