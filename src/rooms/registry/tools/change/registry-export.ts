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
    "Write an agent or tool in the form of another client. What that form has no field for is carried along, so that reading it back loses nothing.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    name: name.describe("The agent or tool"),
    to: z.enum(exportForms).describe("The form to write"),
    type: kind.optional().describe("Only agents, or only tools"),
    folder: z.string().min(1).max(4096).default(".").describe("Folder in the project to write to"),
    ...changeOptions,
  }),
  output: z.object({ name, type: kind, files: z.array(z.object({ path, text })).max(10), dryRun: z.boolean() }),
  run: ({ library }: RegistryServices, input, call) => library.exportTo(input, call.signal),
});
