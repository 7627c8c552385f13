import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeGetTaskQueue } from "../../tools/board/forge-get-task-queue.ts";
import { commandFacts } from "../shared.ts";
import { suggestBlocks } from "../suggestions.ts";
import { taskColumns } from "./columns.ts";

export const taskReady = commandFor<typeof forgeGetTaskQueue>({
  ...commandFacts,
  tool: "forge_get_task_queue",
  name: "task ready",
  summary: "Show tasks that are ready, and what the others wait for",
  details: "In board order. On a pipe it prints lines as `forge task list` does, those that are ready first.",
  examples: [["forge task ready --block Auth", "Show the queue of one block."]],
  options: {
    block_id: { flag: "block", value: "BLOCK" },
    limit: { short: "n" },
  },
  complete: async (app, { option }) => (option === "block" ? suggestBlocks(app) : []),
  print({ ready, waiting }, out) {
    for (const warning of new Set([...(ready.warnings ?? []), ...(waiting.warnings ?? [])]))
      out.note(`${out.style.yellow("warning:")} ${plain(warning)}`);
    const rows = [...ready.tasks, ...waiting.tasks];
    if (ready.total === 0) out.note("No tasks are ready.");
    if (rows.length > 0) printList({ columns: taskColumns, rows, none: "" }, out);
    const hidden = ready.total + waiting.total - rows.length;
    if (hidden > 0) out.note(`And ${hidden} more; see them with --limit.`);
  },
});
