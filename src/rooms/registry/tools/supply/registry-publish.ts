import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { registryName } from "../../model/install-schemas.ts";
import { name, names, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryPublish = defineTool({
  name: "registry_publish",
  title: "Publish a plugin",
  description:
    "Pack a plugin's folder, check it, sign it with your key and upload it. A published version can be withdrawn, but never changed.",
  effect: "act",
  surfaces: ["cli"],
  ofUser: () => true,
  // Packages come over whatever network there is.
  deadlineMs: 600_000,
  input: z.object({
    folder: z.string().min(1).max(4096).default(".").describe("The folder with plugin.json"),
    registry: registryName,
    sign: z.boolean().default(true).describe("Sign it with your key"),
    dryRun: z.boolean().default(false).describe("Upload nothing; show what would be published"),
  }),
  output: z.object({
    name,
    version,
    integrity: z.string().max(200),
    size: z.number(),
    files: names,
    parts: names,
    registry: z.string().max(100),
    signed: z.boolean(),
    isNew: z.boolean(),
    dryRun: z.boolean(),
  }),
  run: ({ library }: RegistryServices, input, call) => library.open().publisher.publish(input, call.signal),
});
