import type { App } from "../../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../../kernel/definitions/command.ts";
import { runCancel } from "./run-cancel.ts";
import { runCommit } from "./run-commit.ts";
import { runDiff } from "./run-diff.ts";
import { runList } from "./run-list.ts";
import { runShow } from "./run-show.ts";
import { runStart } from "./run-start.ts";
import { runTest } from "./run-test.ts";
import { runWatch } from "./run-watch.ts";

const run = defineGroup<App>({
  name: "run",
  summary: "Work on tasks: start, watch, test, finish",
  details:
    "Work on a task is an execution. It has a branch, a timeline and an id; the beginning of the id is enough. Without an id, the " +
    "only open execution is used. You can watch, test and finish what an assistant has started, and the other way round.",
  examples: [
    ["forge start Auth/Ab12Cd --isolation worktree", "Start a task in a separate folder."],
    ["forge run watch", "Watch it live."],
    ['forge run commit -m "Add sign-in"', "Commit, merge, and complete the task."],
  ],
  group: "tasks",
});

export const runCommands: Command<App>[] = [
  run,
  runList,
  runShow,
  runStart,
  runWatch,
  runDiff,
  runTest,
  runCommit,
  runCancel,
];
