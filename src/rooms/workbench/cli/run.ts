import { commandGroup } from "../../../hosts/cli/subcommands.ts";

export const run = commandGroup({
  name: "run",
  summary: "Start, watch, test and finish the work on tasks",
  details:
    "The work on a task is an execution: it has a branch, a timeline and an id, of which the beginning is enough. Without an id " +
    "the only open execution is meant. What an assistant has started, you can watch, test and finish, and the other way round.",
  examples: [
    ["forge run start Auth/Ab12Cd --isolation worktree", "Begin a task in a folder of its own."],
    ["forge run watch", "Look on while it is worked on."],
    ['forge run commit -m "Add sign-in"', "Commit, merge, and complete the task."],
  ],
  group: "tasks",
  parts: async () => (await import("./work/index.ts")).runCommands,
});
