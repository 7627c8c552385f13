import type { App } from "../../../../commons/cli/app.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import type { Column } from "../../../../commons/cli/table.ts";
import { wrongChoice } from "../../../../commons/cli/usage-errors.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { executionStatuses } from "../../model/limits.ts";
import type { ShownExecution } from "../desk.ts";
import { blockWords, deskForResult, executionColours, facts, pageOptions } from "./common.ts";
import { describeExecution } from "./describe-execution.ts";
import { completeExecution, executionArgument, requireExecution } from "./execution-argument.ts";
import { nextPage, showListing } from "./listing.ts";

const columns: Column<ShownExecution>[] = [
  { title: "ID", cell: ({ execution_id }) => execution_id },
  { title: "STATUS", cell: ({ status }) => status, paint: ({ status }) => executionColours[status] },
  { title: "TASK", cell: ({ block_id, task_id }) => `${block_id}/${task_id}`, shrinks: true },
  { title: "STARTED", cell: ({ started_at }) => localTime(started_at) },
  { title: "WHO", cell: ({ holder = "" }) => holder, shrinks: true },
  { title: "NAME", cell: ({ task_name }) => task_name },
];

const list = defineCommand({
  ...facts,
  name: "run list",
  summary: "List the work on tasks, the newest first",
  details:
    "On a pipe it is a line an execution: id, status, task, start, who is on it, and name, with tabs between them.",
  examples: [
    ["forge run list --status running", "What is being worked on."],
    ["forge run list --block auth --json", "All work on a block, by its id, for a script."],
  ],
  options: {
    status: { type: "list", value: "LIST", help: "Only in these statuses; names separated by commas." },
    block: { type: "string", value: "ID", help: "Only work on tasks of this block." },
    ...pageOptions,
  },
  async complete(app: App, { option, typed }) {
    if (option === "block") return blockWords(app);
    if (option !== "status") return [];
    const before = typed.slice(0, typed.lastIndexOf(",") + 1).replace(/^--status=/, "");
    return executionStatuses.map((status) => ({ value: before + status }));
  },
  async run(app: App, { options: { status, block, limit, cursor } }, out) {
    const page = await (await deskForResult(app)).executions({
      status: statusesIn(status),
      block_id: block,
      limit,
      cursor,
    });
    const isFiltered = status !== undefined || block !== undefined;
    return showListing(
      page,
      {
        columns,
        rows: page.executions,
        none: isFiltered
          ? "No execution is like that."
          : "Nothing was worked on yet. `forge run start BLOCK/TASK` begins.",
        warnings: page.warnings,
        more: nextPage("run list", { status, block, limit }, undefined, page.next_cursor),
      },
      out,
    );
  },
});

const show = defineCommand({
  ...facts,
  name: "run show",
  summary: "Show what was done in an execution",
  details:
    "Where it stands, its timeline, the files it changed, also past Forge's tools, its test runs and what went wrong.",
  examples: [
    ["forge run show", "The one that is open."],
    ["forge run show 5d0c", "By the beginning of its id."],
  ],
  arguments: [executionArgument],
  complete: completeExecution,
  async run(app: App, { positionals: [typed] }, out) {
    const desk = await deskForResult(app);
    const record = await desk.execution(await requireExecution(desk, typed));
    out.data(record, () => describeExecution(record, out.style));
    return 0;
  },
});

export const runLooks = [list, show];

function statusesIn(given: string[] | undefined): (typeof executionStatuses)[number][] | undefined {
  return given
    ?.flatMap((names) => names.split(","))
    .map((name) => {
      const known = executionStatuses.find((status) => status === name.trim().toLowerCase());
      if (!known) throw wrongChoice("--status", name, executionStatuses, "run list");
      return known;
    });
}
