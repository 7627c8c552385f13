import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { whoAmISchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const whoami = defineTool({
  name: "whoami",
  title: "Who you are",
  description:
    "Show who you are on the Forge server. It asks the server, so it also shows whether your sign-in is still valid.",
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({}),
  output: whoAmISchema,
  run: ({ login }: AccessServices, _input, { signal }) => login.whoAmI(signal),
});
