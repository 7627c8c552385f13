import { commandFor } from "../../../../commons/cli/command-for.ts";
import { sections } from "../../../../commons/cli/print/help-layout.ts";
import { shellWord } from "../../../../commons/cli/shell-word.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeGetBlock } from "../../tools/board/forge-get-block.ts";
import { factLines, section, textSection } from "../layout.ts";
import type { BlockResult } from "../results.ts";
import { commandFacts, taskColours } from "../shared.ts";
import { suggestBlock } from "../suggestions.ts";
import { blockColours, formatProgress } from "./progress.ts";

export const blockShow = commandFor<typeof forgeGetBlock>({
  ...commandFacts,
  tool: "forge_get_block",
  name: "block show",
  summary: "Show a block with its tasks",
  details: "With its description, connections and tasks.",
  examples: [["forge block show Auth", "Show a block, by its name or id."]],
  arguments: [{ field: "block_id", name: "block", help: "The block's id or name." }],
  complete: suggestBlock,
  print: (block, out) => out.print(describeBlock(block, out.style)),
});

function describeBlock(block: BlockResult, style: Style): string {
  const { id, name, description, status, tasks = [], tasks_omitted: omitted = 0, connections } = block;
  const connected = [
    ...(connections?.input_connections ?? []).map(({ from_module: from }) => `from ${from}`),
    ...(connections?.output_connections ?? []).map(({ to_module: to }) => `to ${to}`),
  ];
  const taskLines = tasks.map((task) => {
    const colour = style[taskColours[task.status]];
    return `  ${plain(task.id)}  ${colour(task.status.padEnd(11))}  ${plain(task.name)}`;
  });
  const more = omitted > 0 ? [`  and ${omitted} more: forge task list --block ${shellWord(id)}`] : [];
  return sections([
    [
      `${style.cyan(plain(id))}  ${style.bold(plain(name))}`,
      ...factLines([
        ["Status", style[blockColours[status]](status)],
        ["Done", formatProgress(block)],
      ]),
    ],
    textSection("Description", description, style),
    section("Inputs", block.inputs.map(formatPort), style),
    section("Outputs", block.outputs.map(formatPort), style),
    section(
      "Connected",
      connected.map((line) => `  ${plain(line)}`),
      style,
    ),
    section("Tasks", [...taskLines, ...more], style),
  ]);
}

function formatPort({ name, ctype, description }: BlockResult["inputs"][number]): string {
  const kind = ctype === "" ? "" : ` (${ctype})`;
  return `  ${plain(`${name}${kind}${description === "" ? "" : `: ${description}`}`)}`;
}
