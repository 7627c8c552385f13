import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { parseReference } from "../../client/definitions/reference.ts";
import { yankNeedsReason, yankNeedsVersion } from "../../client/packages/errors.ts";
import { registryName } from "../../model/install-schemas.ts";
import { name, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryYank = defineTool({
  name: "registry_yank",
  title: "Withdraw a version",
  description:
    "Withdraw a published version with a reason: it is not chosen for new installations. Projects that have it in their lock file can still install it, with a warning.",
  effect: "act",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({
    plugin: name.describe("With its version: @acme/review@1.2.0"),
    reason: z.string().trim().min(1).max(500).optional().describe("Shown to everyone who uses the version"),
    undo: z.boolean().default(false).describe("Offer the version again"),
    registry: registryName,
  }),
  output: z.object({ name, version, yanked: z.boolean(), registry: z.string().max(100) }),
  async run({ library }: RegistryServices, { plugin, reason, undo, registry }, call) {
    const { text, range } = parseReference(plugin);
    if (range === undefined) throw yankNeedsVersion(text);
    if (!undo && reason === undefined) throw yankNeedsReason();
    const request = { name: text, version: range, reason: undo ? null : (reason ?? null), registry };
    return library.open().publisher.yank(request, call.signal);
  },
});
