import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteForeign } from "../../model/foreign.ts";
import { validateInput, validation } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeToolValidate = defineTool({
  name: "fractary_forge_tool_validate",
  title: "Check a tool",
  description: "Check a tool's definition before you use or share it. Strict turns warnings into errors.",
  effect: "fetch",
  untrusted: "repository",
  input: validateInput,
  output: validation,
  run: ({ library }: RegistryServices, query, call) =>
    library.open().validator.validate("tool", query, call.signal, (found) => noteForeign(call, [found])),
});
