import type { App } from "../../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../../kernel/definitions/command.ts";
import { taskClaim } from "./task-claim.ts";
import { taskCreate } from "./task-create.ts";
import { taskEdit } from "./task-edit.ts";
import { taskList } from "./task-list.ts";
import { taskReady } from "./task-ready.ts";
import { taskRelease } from "./task-release.ts";
import { taskShow } from "./task-show.ts";

const task = defineGroup<App>({
  name: "task",
  summary: "Manage tasks",
  details:
    "A task is named by its block and its id, as BLOCK/TASK or as two words; a block by its id or name. Use `forge run` to work " +
    "on tasks.",
  examples: [
    ["forge task ready", "Show what can be started now, and what the others wait for."],
    ['forge task create Auth "Add sign-in" --criterion "A token is returned"', "Create a task."],
    ["forge task show Auth/Ab12Cd", "Show a task."],
  ],
  group: "tasks",
});

export const taskCommands: Command<App>[] = [
  task,
  taskList,
  taskReady,
  taskShow,
  taskCreate,
  taskEdit,
  taskClaim,
  taskRelease,
];
