import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import type { WorkbenchServices } from "../../model/services.ts";

export const forgeWriteBlocksFile = defineTool({
  name: "forge_write_blocks_file",
  title: "Write blocks_config.json",
  description: "Write the board to the project's blocks_config.json.",
  effect: "act",
  surfaces: ["cli"],
  deadlineMs: 300_000,
  input: z.object({
    overwrite: z.boolean().default(false).describe("Replace a file with changes that the board does not contain"),
  }),
  output: z.object({ path: z.string().max(100), blocks: z.number(), tasks: z.number() }),
  run: ({ board }: Pick<WorkbenchServices, "board">, { overwrite }, call) => board.exportFile(call, { overwrite }),
});
