import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { limits } from "../../model/limits.ts";
import { type ProjectServices, readProjectInfo } from "../../project/project-info.ts";

const text = z.string().max(limits.line);
const command = z.string().max(limits.line).optional();
const count = z.number().int().min(0);

export const forgeGetProjectInfo = defineTool({
  name: "forge_get_project_info",
  title: "Describe the project",
  description:
    "Describe the project: language, architecture, dependencies, test and build commands, git state, numbers of files and tasks.",
  effect: "read",
  untrusted: "repository",
  core: true,
  input: z.object({
    include_git_info: z.boolean().default(true),
    include_stats: z.boolean().default(true),
  }),
  output: z.object({
    project: z.object({
      name: text,
      type: text.describe("Main language"),
      root_directory: z.string().max(limits.text),
      architecture: text,
      current_branch: text.optional(),
      git_status: text.optional(),
      dependencies: z.array(text).max(limits.list),
      dependencies_omitted: count.optional(),
      dev_dependencies: z.array(text).max(limits.list).optional().describe("Only to develop and test it"),
      dev_dependencies_omitted: count.optional(),
      test_framework: command,
      build_command: command,
      components: z
        .array(
          z.object({ path: z.string().max(limits.text), type: text, test_framework: command, build_command: command }),
        )
        .max(limits.list)
        .optional()
        .describe("Packages, if there are several; run their commands in their own folders"),
      components_omitted: count.optional(),
    }),
    statistics: z
      .record(z.string().max(limits.name), count)
      .optional()
      .describe("Of files that git tracks; `<language>_files` for each language"),
    warnings: z.array(text).max(limits.list).optional(),
  }),
  run: (services: ProjectServices, { include_git_info, include_stats }, { signal }) =>
    readProjectInfo(services, { git: include_git_info, stats: include_stats, signal }),
});
