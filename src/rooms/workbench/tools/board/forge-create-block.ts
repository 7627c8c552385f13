import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { nameSchema } from "../../board/model/schemas.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { port } from "../../model/task-model.ts";

const ports = z.array(port.strict()).max(limits.list).optional();

export const forgeCreateBlock = defineTool({
  name: "forge_create_block",
  title: "Add a block",
  description:
    "Call it when work needs a part of the project that has no block yet. Its name must be its own; add its tasks with forge_create_task.",
  effect: "add",
  input: z.object({
    name: nameSchema,
    description: z.string().max(limits.text).optional(),
    block_id: z
      .string()
      .max(limits.id)
      .regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, _ and - only")
      .optional()
      .describe("A new one is made where left out"),
    inputs: ports.describe("What it takes"),
    outputs: ports.describe("What it gives"),
  }),
  output: z.object({
    block_id: z.string().max(limits.id),
    name: z.string().max(limits.name),
    revision: z.number(),
  }),
  async run({ board }: Pick<WorkbenchServices, "board">, { block_id, ...draft }, call) {
    const block = await board.createBlock(call, { ...draft, id: block_id });
    return { block_id: block.id, name: block.name, revision: block.revision };
  },
});
