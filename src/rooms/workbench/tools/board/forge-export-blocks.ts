import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import type { WorkbenchServices } from "../../model/services.ts";

export const forgeExportBlocks = defineTool({
  name: "forge_export_blocks",
  title: "Export blocks and tasks",
  description: "The board as the text of a blocks_config.json.",
  effect: "read",
  untrusted: "repository",
  surfaces: ["cli"],
  deadlineMs: 300_000,
  input: z.object({}),
  output: z.object({ text: z.string().max(1_024 * 1_048_576) }),
  run: async ({ board }: Pick<WorkbenchServices, "board">) => ({ text: await board.exportText() }),
});
