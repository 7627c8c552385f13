import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { ForgeError } from "../../../../kernel/errors.ts";

export const forgeRunPlanner = defineTool({
  name: "forge_run_planner",
  title: "Plan a project",
  description: "Make a plan with phases from a request, and save it as a file.",
  effect: "send",
  input: z.object({ project_request: z.string().min(1).max(100_000) }),
  output: z.object({ plan_path: z.string().max(4_096) }),
  async run() {
    throw new ForgeError("CONFIG_ERROR", "The planner is not configured: no model provider is set up.", {
      next: [
        "Make the plan yourself, from the project's contracts.",
        { tool: "forge_get_governance", why: "to read them" },
      ],
    });
  },
});
