import * as z from "zod";
import type { Config } from "../client/config/config.ts";
import type { InstallScope } from "../client/install/plugin-places.ts";
import { name, path, version } from "./schemas.ts";

export const installScope = {
  global: z.boolean().default(false).describe("For all your projects, not this one"),
  dryRun: z.boolean().default(false).describe("Change nothing; show the plan"),
};

const line = z.string().max(8192);
export const registryName = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe("The registry (default: the one for its scope)");

export const installed = z.object({
  steps: z
    .array(
      z.object({
        name,
        version,
        from: version.optional(),
        registry: line,
        requiredBy: line.optional(),
        size: z.number().optional(),
        signed: z.boolean(),
        path,
        change: z.enum(["install", "update", "unchanged"]),
      }),
    )
    .max(200),
  dryRun: z.boolean(),
  warnings: z.array(line).max(500),
  lockfile: path,
});

/** Global where that was asked for or is the user's own default. */
export function scopeOf(isGlobal: boolean, { defaultScope }: Config): InstallScope {
  return isGlobal ? "global" : defaultScope;
}
