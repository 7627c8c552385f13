import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { limits, statusSources } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";

const maxTextLength = 64 * 1_048_576;
const maxEntries = 1_000_000;
const tally = z.object({ added: z.number(), updated: z.number(), unchanged: z.number() });
const sentences = z.array(z.string().max(limits.text)).max(maxEntries);

export const forgeImportBlocks = defineTool({
  name: "forge_import_blocks",
  title: "Import blocks and tasks",
  description:
    "Import blocks and tasks from the project's blocks_config.json, or from another file. New entries are added, different ones are changed to what the file says, and entries that are not in the file stay. All of it, or nothing.",
  effect: "set",
  surfaces: ["cli"],
  deadlineMs: 300_000,
  input: z.object({
    text: z.string().max(maxTextLength).optional().describe("Text of another file than blocks_config.json"),
    source: z.string().max(4_096).default("the text").describe("Name of that file, for messages"),
    statuses: z
      .enum(statusSources)
      .default("furthest")
      .describe("Which status counts if a task's differ: the one that is further along, or the file's"),
    dry_run: z.boolean().default(false).describe("Change nothing; only show what would change"),
  }),
  output: z.object({ blocks: tally, tasks: tally, kept: sentences, warnings: sentences, dry_run: z.boolean() }),
  async run({ board, guard }: Pick<WorkbenchServices, "board" | "guard">, input, call) {
    const { text, source, statuses, dry_run } = input;
    const other = text === undefined ? undefined : { text, name: source };
    if (other && !dry_run) {
      const { readBlocks } = await import("../../board/formats/read-blocks.ts");
      // A file from elsewhere can be anyone's, whoever imports it. Before its text is there.
      for (const { id } of readBlocks(other.text, other.name).blocks) await guard.noteImportedBlock(call, id);
    }
    return { ...(await board.importFile(call, { other, statuses, dryRun: dry_run })), dry_run };
  },
});
