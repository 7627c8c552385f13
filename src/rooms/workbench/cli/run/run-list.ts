import { commandFor } from "../../../../commons/cli/command-for.ts";
import { texts } from "../../../../commons/cli/json-fields.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import { executionStatuses } from "../../model/limits.ts";
import type { forgeListExecutions } from "../../tools/executions/forge-list-executions.ts";
import type { ExecutionResult } from "../results.ts";
import { commandFacts, executionColours, pageOptions } from "../shared.ts";
import { suggestBlocks, suggestInList } from "../suggestions.ts";
import { parseStatuses } from "../task-argument.ts";

const columns: Column<ExecutionResult>[] = [
  { title: "ID", cell: ({ execution_id }) => execution_id },
  { title: "STATUS", cell: ({ status }) => status, paint: ({ status }) => executionColours[status] },
  { title: "TASK", cell: ({ block_id, task_id }) => `${block_id}/${task_id}`, shrinks: true },
  { title: "STARTED", cell: ({ started_at }) => localTime(started_at) },
  { title: "WHO", cell: ({ holder = "" }) => holder, shrinks: true },
  { title: "NAME", cell: ({ task_name }) => task_name },
];

export const runList = commandFor<typeof forgeListExecutions>({
  ...commandFacts,
  tool: "forge_list_executions",
  name: "run list",
  summary: "List executions, newest first",
  details:
    "On a pipe it prints one line per execution: id, status, task, start, who works on it, and name, separated by tabs.",
  examples: [
    ["forge run list --status running", "List what is being worked on."],
    ["forge run list --block auth --json", "List all work on a block, by its id, for a script."],
  ],
  only: true,
  arguments: [],
  options: {
    status: {
      value: "LIST",
      commas: true,
      choices: [],
      help: "Only executions with these statuses, separated by commas.",
    },
    block_id: { flag: "block", value: "ID", help: "Only work on tasks of this block." },
    ...pageOptions,
  },
  toInput: (given) => ({ ...given, status: parseStatuses(texts(given["status"]), executionStatuses, "run list") }),
  async complete(app, { option, typed }) {
    if (option === "block") return suggestBlocks(app);
    return option === "status" ? suggestInList(executionStatuses, typed) : [];
  },
  print({ executions, next_cursor: cursor }, out, { again, input: { limit: _limit, cursor: _cursor, ...filter } }) {
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    printList(
      {
        columns,
        rows: executions,
        none: isFiltered ? "No executions match." : "No executions yet. Start one with `forge run start BLOCK/TASK`.",
        more: cursor === undefined ? undefined : again({ cursor }),
      },
      out,
    );
  },
});
