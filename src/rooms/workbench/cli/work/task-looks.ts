import type { App } from "../../../../commons/cli/app.ts";
import type { Column } from "../../../../commons/cli/table.ts";
import { wrongChoice } from "../../../../commons/cli/usage-errors.ts";
import { defineCommand, type Output, type Style } from "../../../../kernel/command.ts";
import { taskStatuses } from "../../model/limits.ts";
import type { ShownTask, ShownTaskPage } from "../desk.ts";
import { blockWords, deskForResult, facts, pageOptions, taskColours, warn } from "./common.ts";
import { describeTask } from "./describe-task.ts";
import { asRows, nextPage, showListing } from "./listing.ts";
import { completeTask, taskArguments, taskName, taskReference } from "./task-reference.ts";

const inBlock = { type: "string", value: "BLOCK", help: "Only tasks of this block." } as const;

const columns: Column<ShownTask>[] = [
  { title: "TASK", cell: taskName },
  { title: "STATUS", cell: ({ status }) => status, paint: ({ status }) => taskColours[status] },
  { title: "READY", cell: standing, paint: paintStanding, shrinks: true },
  { title: "NAME", cell: ({ name }) => name },
];

const list = defineCommand({
  ...facts,
  name: "task list",
  summary: "Find tasks",
  details:
    "In the order of the board. On a pipe it is a line a task: BLOCK/TASK, status, whether it can be worked on or what it waits " +
    "for, and name, with tabs between them.",
  examples: [
    ["forge task list", "All tasks."],
    ["forge task list token --block Auth --status pending,failed", "Those about tokens that are not done."],
    ["forge task list --ready --json", "What can be worked on now, for a script."],
  ],
  arguments: [{ name: "text", required: false, help: "Only tasks in which these words stand." }],
  options: {
    block: inBlock,
    status: { type: "list", value: "LIST", help: "Only in these statuses; names separated by commas." },
    ready: { type: "boolean", help: "Only those that can be worked on now." },
    ...pageOptions,
  },
  async complete(app: App, { option, typed }) {
    if (option === "block") return blockWords(app);
    if (option !== "status") return [];
    const before = typed.slice(0, typed.lastIndexOf(",") + 1).replace(/^--status=/, "");
    return taskStatuses.map((status) => ({ value: before + status }));
  },
  async run(app: App, { positionals: [text], options: { block, status, ready, limit, cursor } }, out) {
    const filter = { block_id: block, status: statusesIn(status), ready, text, limit, cursor };
    const page = await (await deskForResult(app)).tasks(filter);
    const isFiltered = [block, status, ready, text].some((part) => part !== undefined);
    return showListing(
      page,
      {
        columns,
        rows: page.tasks,
        none: isFiltered ? "No task is like that." : "No tasks yet. `forge task create BLOCK NAME` makes one.",
        warnings: page.warnings,
        more: nextPage("task list", { block, status, ready, limit }, text, page.next_cursor),
      },
      out,
    );
  },
});

const ready = defineCommand({
  ...facts,
  name: "task ready",
  summary: "Show what can be worked on now, and what the others wait for",
  details: "The order is that of the board. On a pipe it is lines as of `forge task list`, those that are ready first.",
  examples: [["forge task ready --block Auth", "The queue of one block."]],
  options: { block: inBlock, limit: pageOptions.limit },
  complete: async (app: App, { option }) => (option === "block" ? blockWords(app) : []),
  async run(app: App, { options: { block, limit } }, out) {
    const queue = await (await deskForResult(app)).queue(block, limit);
    out.json ? out.data(queue, () => "") : showQueue(queue, out);
    return 0;
  },
});

const show = defineCommand({
  ...facts,
  name: "task show",
  summary: "Show a task whole",
  details: "All that it says, what it waits for and who is on it.",
  examples: [
    ["forge task show Auth/Ab12Cd", "Read a task."],
    ["forge task show Auth Ab12Cd --context", "And the files and patterns of the repository that it touches."],
  ],
  arguments: taskArguments,
  options: { context: { type: "boolean", help: "Also show what of the repository it has to do with." } },
  complete: completeTask,
  async run(app: App, { positionals, options: { context = false } }, out) {
    const desk = await deskForResult(app);
    const details = await desk.task({ ...taskReference(positionals), include_context: context });
    out.data(details, () => describeTask(details, out.style));
    return 0;
  },
});

export const taskLooks = [list, ready, show];

function statusesIn(given: string[] | undefined): (typeof taskStatuses)[number][] | undefined {
  return given
    ?.flatMap((names) => names.split(","))
    .map((name) => {
      const known = taskStatuses.find((status) => status === name.trim().toLowerCase().replace("-", "_"));
      if (!known) throw wrongChoice("--status", name, taskStatuses, "task list");
      return known;
    });
}

function standing({ status, ready, waits_for: waits = [] }: ShownTask): string {
  if (status === "completed") return "";
  if (ready) return "ready";
  return waits.length === 0 ? "" : waitsText(waits);
}

function paintStanding({ status, ready }: ShownTask): keyof Style | undefined {
  return status === "completed" ? undefined : ready ? "green" : "yellow";
}

/** Who is on it stands among what it waits for. */
function waitsText(waits: readonly string[]): string {
  const holders = waits.filter((wait) => wait.startsWith("claimed by "));
  const others = waits.filter((wait) => !wait.startsWith("claimed by "));
  return [...(others.length === 0 ? [] : [`waits for ${others.join(", ")}`]), ...holders].join("; ");
}

function showQueue({ ready, waiting }: Record<"ready" | "waiting", ShownTaskPage>, out: Output): void {
  warn(out, [...new Set([...(ready.warnings ?? []), ...(waiting.warnings ?? [])])]);
  if (ready.total === 0) out.note(waiting.total === 0 ? "There is nothing to do." : "Nothing is ready.");
  const rows = [...ready.tasks, ...waiting.tasks];
  if (rows.length > 0) out.print(asRows(columns, rows, out));
  const hidden = ready.total + waiting.total - rows.length;
  if (hidden > 0) out.note(`And ${hidden} more; --limit shows them.`);
}
