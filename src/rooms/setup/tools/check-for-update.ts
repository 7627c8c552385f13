import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { isNewer, newestVersion } from "../doctor/newest-version.ts";
import type { SetupServices } from "../services.ts";

const version = z.string().max(100);

export const checkForUpdate = defineTool({
  name: "check_for_update",
  title: "Check for a newer version",
  description:
    "Ask the package registry for the newest version of Forge. Forge never asks by itself; this sends nothing but the " +
    'package\'s name. With "updateCheck": true in your settings file, `forge doctor` asks as well.',
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({
    registry: z.string().max(2_000).optional().describe("The registry to ask (default: https://registry.npmjs.org)"),
  }),
  output: z.object({ version, newest: version, isNewer: z.boolean() }),
  async run({ version: current }: SetupServices, { registry }, { signal }) {
    const newest = await newestVersion(registry, signal);
    return { version: current, newest, isNewer: isNewer(newest, current) };
  },
});
