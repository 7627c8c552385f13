import { commandFor } from "../../../../commons/cli/command-for.ts";
import { sections } from "../../../../commons/cli/print/help-layout.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { hangingLines } from "../../../../commons/cli/print/text-lines.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeGetTaskDetails } from "../../tools/board/forge-get-task-details.ts";
import { factLines, section, textSection } from "../layout.ts";
import type { TaskDetailsResult } from "../results.ts";
import { commandFacts, formatTaskName, taskColours } from "../shared.ts";
import { suggestTask } from "../suggestions.ts";
import { taskArguments } from "../task-argument.ts";

export const taskShow = commandFor<typeof forgeGetTaskDetails>({
  ...commandFacts,
  tool: "forge_get_task_details",
  name: "task show",
  summary: "Show a task in full",
  details: "With its dependencies, and who works on it.",
  examples: [
    ["forge task show Auth/Ab12Cd", "Show a task."],
    ["forge task show Auth Ab12Cd --context", "Also show related files and patterns of the code."],
  ],
  arguments: taskArguments,
  options: { include_context: { flag: "context", help: "Also show related files and patterns of the code." } },
  complete: suggestTask,
  print: (details, out) => out.print(describeTask(details, out.style)),
});

function describeTask({ task, context }: TaskDetailsResult, style: Style): string {
  const items = (title: string, lines: readonly string[]) =>
    section(
      title,
      lines.flatMap((line) => hangingLines("-", line)),
      style,
    );
  return sections([
    [
      `${style.cyan(plain(formatTaskName(task)))}  ${style.bold(plain(task.name))}`,
      ...factLines(listFacts(task, style)),
    ],
    textSection("Description", task.description, style),
    items("Acceptance criteria", task.acceptance_criteria),
    items("Depends on", task.dependencies),
    items("Files", task.files_affected),
    items("Functions", task.function_signatures),
    items("Tests", task.testing_requirements),
    textSection("Log", task.log, style),
    ...(context
      ? [
          items(
            "Files of the repository",
            Object.entries(context.existing_files).map(([path, purpose]) => `${path}  ${purpose}`),
          ),
          items("Patterns", context.related_code_patterns),
          items("Left out to keep this short", context.omitted),
        ]
      : []),
  ]);
}

function listFacts(task: TaskDetailsResult["task"], style: Style): [string, string | undefined][] {
  const { status, waits_for: waits, claim, ticket_id: ticket } = task;
  const text = (value: string) => (value === "" ? undefined : plain(value));
  return [
    ["Block", plain(task.block_name)],
    ["Status", style[taskColours[status]](status)],
    ["Ready", task.ready ? style.green("yes; start it with `forge run start`") : undefined],
    ["Waits for", waits && style.yellow(plain(waits.join(", ")))],
    ["Claimed", claim && style.yellow(`by ${plain(claim.holder)} until ${plain(localTime(claim.until))}`)],
    ["Effort", text(task.estimated_effort)],
    ["Ticket", ticket === undefined ? undefined : plain(ticket)],
    ["Commit", text(task.commit_id)],
    ["Related", text(task.related_blocks.join(", "))],
    ["Updated", plain(localTime(task.updated_at))],
  ];
}
