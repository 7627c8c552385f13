import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { exportForms } from "../../client/formats/export-definition.ts";
import { changeOptions } from "../../model/change-schemas.ts";
import { kind, name, path, text } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryExport = defineTool({
  name: "registry_export",
  title: "Export a definition",
  description:
    "Write an agent or tool in the format of another client. Fields that the format lacks are kept in its metadata, so that nothing is lost when it is read back.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    name: name.describe("The agent or tool"),
    to: z.enum(exportForms).describe("The format to write"),
    type: kind.optional().describe("Only agents, or only tools"),
    folder: z.string().min(1).max(4096).default(".").describe("Folder in the project to write to"),
    ...changeOptions,
  }),
  output: z.object({ name, type: kind, files: z.array(z.object({ path, text })).max(10), dryRun: z.boolean() }),
  run: ({ library }: RegistryServices, input, call) => library.exportTo(input, call.signal),
});
