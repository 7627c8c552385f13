import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { installed, installScope, scopeOf } from "../../model/install-schemas.ts";
import type { RegistryServices } from "../../services.ts";

const only = (kind: string) => z.boolean().default(false).describe(`Only its ${kind}`);

export const registryInstall = defineTool({
  name: "registry_install",
  title: "Install a plugin",
  description:
    "Install a plugin and what it depends on, from a registry or a folder. Every package is checked before anything is written. Without a name, installs the plugins in the lock file.",
  effect: "act",
  surfaces: ["cli"],
  // Without `global`, the user's own default decides where plugins are.
  ofUser: () => true,
  // Packages come over whatever network there is.
  deadlineMs: 600_000,
  input: z.object({
    plugin: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe("Such as @acme/review, @acme/review@^1.2.0, ./folder or ./folder#name"),
    force: z.boolean().default(false).describe("Install it again, even if the published version has changed"),
    agentsOnly: only("agents"),
    toolsOnly: only("tools"),
    workflowsOnly: only("workflows"),
    hooks: z.boolean().default(true).describe("Also install its hooks"),
    commands: z.boolean().default(true).describe("Also install its commands"),
    dependencies: z.boolean().default(true).describe("Also install what it depends on"),
    ...installScope,
  }),
  output: installed,
  async run({ library }: RegistryServices, input, call) {
    const { config, installer } = library.open();
    const chosen = [
      ...(input.agentsOnly ? ["agents", "skills"] : []),
      ...(input.toolsOnly ? ["tools"] : []),
      ...(input.workflowsOnly ? ["workflows"] : []),
    ];
    return installer.install(input.plugin, {
      scope: scopeOf(input.global, config),
      only: chosen,
      without: [...(input.hooks ? [] : ["hooks"]), ...(input.commands ? [] : ["commands"])],
      withDependencies: input.dependencies,
      force: input.force,
      dryRun: input.dryRun,
      signal: call.signal,
      report: (progress) => call.report(progress),
    });
  },
});
