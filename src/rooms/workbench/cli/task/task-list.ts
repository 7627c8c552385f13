import { commandFor } from "../../../../commons/cli/command-for.ts";
import { texts } from "../../../../commons/cli/json-fields.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import { taskStatuses } from "../../model/limits.ts";
import type { forgeGetTasks } from "../../tools/board/forge-get-tasks.ts";
import { commandFacts, pageOptions } from "../shared.ts";
import { suggestBlocks, suggestInList } from "../suggestions.ts";
import { parseStatuses } from "../task-argument.ts";
import { taskColumns } from "./columns.ts";

export const taskList = commandFor<typeof forgeGetTasks>({
  ...commandFacts,
  tool: "forge_get_tasks",
  name: "task list",
  summary: "List and filter tasks",
  details:
    "In board order. On a pipe it prints one line per task: BLOCK/TASK, status, whether it is ready or what it waits for, and " +
    "name, separated by tabs.",
  examples: [
    ["forge task list", "List all tasks."],
    ["forge task list token --block Auth --status pending,failed", "List tasks about tokens that are not done."],
    ["forge task list --ready --json", "List what can be started now, for a script."],
  ],
  arguments: [{ field: "text", required: false, help: "Only tasks that contain these words." }],
  only: true,
  options: {
    block_id: { flag: "block", value: "BLOCK", help: "Only tasks of this block." },
    status: { value: "LIST", commas: true, choices: [], help: "Only tasks with these statuses, separated by commas." },
    ready: { help: "Only tasks that can be started now." },
    ...pageOptions,
  },
  toInput: (given) => ({ ...given, status: parseStatuses(texts(given["status"]), taskStatuses, "task list") }),
  async complete(app, { option, typed }) {
    if (option === "block") return suggestBlocks(app);
    return option === "status" ? suggestInList(taskStatuses, typed) : [];
  },
  print({ tasks, next_cursor: cursor }, out, { again, input: { limit: _limit, cursor: _cursor, ...filter } }) {
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    printList(
      {
        columns: taskColumns,
        rows: tasks,
        none: isFiltered ? "No tasks match." : "No tasks yet. Create one with `forge task create BLOCK NAME`.",
        more: cursor === undefined ? undefined : again({ cursor }),
      },
      out,
    );
  },
});
