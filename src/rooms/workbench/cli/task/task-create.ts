import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeCreateTask } from "../../tools/board/forge-create-task.ts";
import { commandFacts, formatTaskName } from "../shared.ts";
import { suggestBlock, suggestDependencies } from "../suggestions.ts";
import { taskFieldOptions } from "./task-fields.ts";

export const taskCreate = commandFor<typeof forgeCreateTask>({
  ...commandFacts,
  tool: "forge_create_task",
  name: "task create",
  summary: "Create a task",
  details: "Prints the new task as BLOCK/TASK.",
  examples: [
    ['forge task create Auth "Add sign-in" --criterion "A token is returned"', "With an acceptance criterion."],
    ['forge task create Auth "Sign out" --depends-on Ab12Cd', "A task that waits for another."],
  ],
  arguments: [
    { field: "block_id", name: "block", help: "The id or name of its block." },
    { field: "task_name", name: "name", help: "What to do, in one line." },
  ],
  only: true,
  options: taskFieldOptions,
  complete: (app, place) => (place.option === "depends-on" ? suggestDependencies(app) : suggestBlock(app, place)),
  print: ({ task }, out) => out.print(plain(formatTaskName(task))),
});
