import * as z from "zod";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { showRegistry } from "../../client/config/show-config.ts";
import { nameItYourself } from "../../client/errors.ts";
import { names, shortText, warnings } from "../../model/schemas.ts";
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
    warnings,
    next: actionsSchema,
  }),
  async run({ library }: RegistryServices) {
    const { config } = library.open();
    const registries = config.registries.map((registry) => {
      const { ttl: _, token_env: _env, ...shown } = showRegistry(registry);
      return { ...shown, authenticated: library.tokenFor(registry) !== undefined };
    });
    const unsent = config.registries.flatMap(({ name, origin, tokenEnv }) =>
      origin === "project" && tokenEnv !== undefined
        ? [`${name} gets no token from ${tokenEnv}: only the project's files name this registry.`]
        : [],
    );
    return {
      registries: registries.sort((a, b) => a.priority - b.priority),
      ...(unsent.length > 0 && { warnings: unsent, next: [nameItYourself] }),
    };
  },
});
