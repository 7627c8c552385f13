import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import type { forgeGetBlocks } from "../../tools/board/forge-get-blocks.ts";
import type { BlockResult } from "../results.ts";
import { commandFacts, pageOptions } from "../shared.ts";
import { blockColours, formatProgress } from "./progress.ts";

const columns: Column<BlockResult>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "STATUS", cell: ({ status }) => status, paint: ({ status }) => blockColours[status] },
  { title: "DONE", cell: formatProgress },
  { title: "NAME", cell: ({ name }) => name },
];

export const blockList = commandFor<typeof forgeGetBlocks>({
  ...commandFacts,
  tool: "forge_get_blocks",
  name: "block list",
  summary: "List blocks and their progress",
  details:
    "In board order. On a pipe it prints one line per block: id, status, completed of all tasks, and name, separated by tabs.",
  examples: [
    ["forge block list", "List all blocks."],
    ["forge block list auth --status failed", "List blocks about auth that have a failed task."],
  ],
  arguments: [
    { field: "filter.search_term", name: "text", required: false, help: "Only blocks that contain these words." },
  ],
  only: true,
  options: { "filter.status": { help: "Only blocks with this status; failed: has a failed task." }, ...pageOptions },
  print({ blocks, next_cursor: cursor }, out, { again, input }) {
    printList(
      {
        columns,
        rows: blocks,
        none:
          input["filter"] === undefined
            ? "No blocks yet. Create one with `forge block create NAME`."
            : "No matching blocks.",
        more: cursor === undefined ? undefined : again({ cursor }),
      },
      out,
    );
  },
});
