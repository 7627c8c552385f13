import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { showConfig, valueAt } from "../../client/config/show-config.ts";
import { jsonValue } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

const key = z.string().min(1).max(500);

export const fractaryForgeConfigGet = defineTool({
  name: "fractary_forge_config_get",
  title: "Read a registry setting",
  description: "Read one value of the registry configuration. Secrets are redacted.",
  effect: "read",
  untrusted: "repository",
  input: z.object({ key: key.describe("Such as `registries.0.url`") }),
  output: z.object({ key, value: jsonValue, exists: z.boolean() }),
  async run({ library }: RegistryServices, { key: wanted }) {
    return { key: wanted, ...valueAt(showConfig(library.open().config, { includeDefaults: true }), wanted) };
  },
});
