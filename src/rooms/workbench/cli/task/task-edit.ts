import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeUpdateTask } from "../../tools/board/forge-update-task.ts";
import { conflictingTicketOptions } from "../errors.ts";
import { commandFacts, formatTaskName } from "../shared.ts";
import { suggestDependencies, suggestTask } from "../suggestions.ts";
import { taskArguments } from "../task-argument.ts";
import { taskFieldOptions } from "./task-fields.ts";

type Input = Parameters<typeof forgeUpdateTask.run>[1];

export const taskEdit = commandFor<typeof forgeUpdateTask>({
  ...commandFacts,
  tool: "forge_update_task",
  name: "task edit",
  summary: "Change a task, or its status",
  details:
    "Only what is given changes. A list replaces the previous one; an empty text clears a field. Work on a task sets its " +
    "status; on a terminal you can also set it yourself.",
  examples: [
    ["forge task edit Auth/Ab12Cd --status pending", "Reopen a failed task."],
    ['forge task edit Auth/Ab12Cd --criterion "It works" --criterion "It ends"', "Replace the acceptance criteria."],
    ['forge task edit Auth Ab12Cd --depends-on ""', "Remove all dependencies."],
  ],
  arguments: taskArguments,
  only: true,
  options: {
    task_name: { flag: "name", help: "New name." },
    ...taskFieldOptions,
    status: { help: "New status." },
    expected_revision: { flag: "revision", help: "Fail if the task is no longer at this revision." },
  },
  own: { "no-ticket": { type: "boolean", field: "ticket_id", clears: true, help: "Remove it from its ticket." } },
  toInput(given, { options }) {
    if (options["no-ticket"] === true && options["ticket"] !== undefined) throw conflictingTicketOptions();
    return given as Input;
  },
  complete: (app, place) => (place.option === "depends-on" ? suggestDependencies(app) : suggestTask(app, place)),
  print: ({ task }, out) => out.print(`Updated ${plain(formatTaskName(task))} (${task.status}): ${plain(task.name)}`),
});
