import { sections } from "../../../../commons/cli/help-layout.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import type { Style } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { hanging } from "../../../tickets/cli/text/ticket-text.ts";
import type { ShownTaskDetails } from "../desk.ts";
import { taskColours } from "./common.ts";
import { factLines, textLines, titled } from "./described.ts";
import { taskName } from "./task-reference.ts";

/** A task for a person to read. */
export function describeTask({ task, context }: ShownTaskDetails, style: Style): string {
  const items = (title: string, lines: readonly string[]) =>
    titled(
      title,
      lines.flatMap((line) => hanging("-", line)),
      style,
    );
  return sections([
    [`${style.cyan(plain(taskName(task)))}  ${style.bold(plain(task.name))}`, ...factLines(factsOf(task, style))],
    textLines("Description", task.description, style),
    items("Acceptance criteria", task.acceptance_criteria),
    items("Depends on", task.dependencies),
    items("Files", task.files_affected),
    items("Functions", task.function_signatures),
    items("Tests", task.testing_requirements),
    textLines("Log", task.log, style),
    ...(context
      ? [
          titled(
            "Files of the repository",
            Object.entries(context.existing_files).flatMap(([path, purpose]) => hanging("-", `${path}  ${purpose}`)),
            style,
          ),
          items("Patterns", context.related_code_patterns),
          items("Left out for its length", context.omitted),
        ]
      : []),
  ]);
}

function factsOf(task: ShownTaskDetails["task"], style: Style): [string, string | undefined][] {
  const { status, waits_for: waits, claim, ticket_id: ticket } = task;
  const text = (value: string) => (value === "" ? undefined : plain(value));
  return [
    ["Block", plain(task.block_name)],
    ["Status", style[taskColours[status]](status)],
    ["Ready", task.ready ? style.green("yes, `forge run start` begins it") : undefined],
    ["Waits for", waits && style.yellow(plain(waits.join(", ")))],
    ["Claimed", claim && style.yellow(`by ${plain(claim.holder)} until ${plain(localTime(claim.until))}`)],
    ["Effort", text(task.estimated_effort)],
    ["Ticket", ticket === undefined ? undefined : plain(ticket)],
    ["Commit", text(task.commit_id)],
    ["Related", text(task.related_blocks.join(", "))],
    ["Updated", plain(localTime(task.updated_at))],
  ];
}
