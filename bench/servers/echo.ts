import * as z from "zod";
import { defineTool } from "../../src/kernel/definitions/tool.ts";

const text = z.object({ text: z.string().max(1000) });

/** The one-tool server's tool as a tool of Forge. The benchmark builds a Forge that includes it. */
export const echo = defineTool({
  name: "echo",
  title: "Echo",
  description: "Answers with the text.",
  effect: "read",
  input: text,
  output: text,
  run: async (_services: object, given) => given,
});
