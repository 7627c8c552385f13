import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { showRegistry } from "../../client/config/show-config.ts";
import { names, shortText } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeConfigRegistryList = defineTool({
  name: "fractary_forge_config_registry_list",
  title: "List registries",
  description: "List the configured registries; the lowest priority number is asked first.",
  effect: "read",
  untrusted: "repository",
  input: z.object({}),
  output: z.object({
    registries: z
      .array(
        z.object({
          name: shortText,
          url: shortText,
          priority: z.number(),
          authenticated: z.boolean(),
          type: z.enum(["stockyard", "manifest", "folder"]),
          enabled: z.boolean(),
          scopes: names.optional(),
        }),
      )
      .max(100),
  }),
  async run({ library }: RegistryServices) {
    const { config } = library.open();
    const registries = await Promise.all(
      config.registries.map(async (registry) => {
        const { ttl: _, token_env: _env, ...shown } = showRegistry(registry);
        return { ...shown, authenticated: (await library.tokenFor(registry)) !== undefined };
      }),
    );
    return { registries: registries.sort((a, b) => a.priority - b.priority) };
  },
});
