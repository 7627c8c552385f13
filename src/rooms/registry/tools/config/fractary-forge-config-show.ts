import * as z from "zod";
import { formatYaml } from "../../../../commons/yaml/edit-yaml.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { showConfig } from "../../client/config/show-config.ts";
import { jsonObject, path, text } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeConfigShow = defineTool({
  name: "fractary_forge_config_show",
  title: "Show the registry configuration",
  description: "Read the effective registry configuration and the files it comes from.",
  effect: "read",
  untrusted: "repository",
  input: z.object({ includeDefaults: z.boolean().default(true), format: z.enum(["json", "yaml"]).default("json") }),
  output: z.object({ config: jsonObject, sources: z.array(path).max(20), yaml: text.optional() }),
  async run({ library }: RegistryServices, { includeDefaults, format }) {
    const { config } = library.open();
    const shown = showConfig(config, { includeDefaults });
    return { config: shown, sources: config.sources, ...(format === "yaml" && { yaml: formatYaml(shown) }) };
  },
});
