import type { App } from "../../../../commons/cli/app.ts";
import { sections } from "../../../../commons/cli/help-layout.ts";
import type { Column } from "../../../../commons/cli/table.ts";
import { defineCommand, type Style } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { choiceOf } from "../../../tickets/cli/choice.ts";
import type { ShownBlock } from "../desk.ts";
import { completeBlock, deskForResult, facts, pageOptions, taskColours } from "./common.ts";
import { factLines, textLines, titled } from "./described.ts";
import { nextPage, showListing } from "./listing.ts";

const standings = ["active", "completed", "failed"] as const;

const colours: Record<ShownBlock["status"], keyof Style> = { active: "cyan", completed: "green", failed: "red" };

const columns: Column<ShownBlock>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "STATUS", cell: ({ status }) => status, paint: ({ status }) => colours[status] },
  { title: "DONE", cell: doneOf },
  { title: "NAME", cell: ({ name }) => name },
];

const list = defineCommand({
  ...facts,
  name: "block list",
  summary: "List blocks, with how much of each is done",
  details: "On a pipe it is a line a block: id, status, completed of all tasks, and name, with tabs between them.",
  examples: [
    ["forge block list", "All of them, in the order of the board."],
    ["forge block list auth --status failed", "Those about auth that have a failed task."],
  ],
  arguments: [{ name: "text", required: false, help: "Only blocks in which these words stand." }],
  options: {
    status: { type: "string", choices: standings, help: "Only of this status; failed has a failed task." },
    ...pageOptions,
  },
  async run(app: App, { positionals: [text], options: { status, limit, cursor } }, out) {
    const filter = { status: choiceOf(standings, status), search_term: text };
    const page = await (await deskForResult(app)).blocks({ filter, limit, cursor });
    const isFiltered = text !== undefined || status !== undefined;
    return showListing(
      page,
      {
        columns,
        rows: page.blocks,
        none: isFiltered ? "No block is like that." : "No blocks yet. `forge block create NAME` makes one.",
        warnings: page.warnings,
        more: nextPage("block list", { status, limit }, text, page.next_cursor),
      },
      out,
    );
  },
});

const show = defineCommand({
  ...facts,
  name: "block show",
  summary: "Show a block with its tasks",
  examples: [["forge block show Auth", "By its name, or by its id."]],
  arguments: [{ name: "block", required: true, help: "The block's id or name." }],
  complete: completeBlock,
  async run(app: App, { positionals: [ref = ""] }, out) {
    const block = await (await deskForResult(app)).block(ref);
    out.data(block, () => describeBlock(block, out.style));
    return 0;
  },
});

export const blockLooks = [list, show];

function doneOf({ task_counts: { pending, in_progress, completed, failed } }: ShownBlock): string {
  return `${completed}/${pending + in_progress + completed + failed}`;
}

function describeBlock(block: ShownBlock, style: Style): string {
  const { id, name, description, status, tasks = [], tasks_omitted: omitted = 0, connections } = block;
  const others = [
    ...(connections?.input_connections ?? []).map(({ from_module: from }) => `from ${from}`),
    ...(connections?.output_connections ?? []).map(({ to_module: to }) => `to ${to}`),
  ];
  return sections([
    [
      `${style.cyan(plain(id))}  ${style.bold(plain(name))}`,
      ...factLines([
        ["Status", style[colours[status]](status)],
        ["Done", doneOf(block)],
      ]),
    ],
    textLines("Description", description, style),
    titled("Takes", block.inputs.map(portLine), style),
    titled("Gives", block.outputs.map(portLine), style),
    titled(
      "Connected",
      others.map((line) => `  ${plain(line)}`),
      style,
    ),
    titled(
      "Tasks",
      [
        ...tasks.map((task) => {
          const colour = style[taskColours[task.status]];
          return `  ${plain(task.id)}  ${colour(task.status.padEnd(11))}  ${plain(task.name)}`;
        }),
        ...(omitted > 0 ? [`  and ${omitted} more: forge task list --block ${plain(id)}`] : []),
      ],
      style,
    ),
  ]);
}

function portLine({ name, ctype, description }: ShownBlock["inputs"][number]): string {
  const kind = ctype === "" ? "" : ` (${ctype})`;
  return `  ${plain(`${name}${kind}${description === "" ? "" : `: ${description}`}`)}`;
}
