import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import type { StartResult } from "../results.ts";
import { commandFacts } from "../shared.ts";
import { suggestOpenTask } from "../suggestions.ts";
import { taskArguments } from "../task-argument.ts";

export const runStart = commandFor<typeof forgeExecuteTask>({
  ...commandFacts,
  tool: "forge_execute_task",
  name: "run start",
  summary: "Start work on a task, on its own branch",
  details:
    "Prints the id of the execution. In the project's folder it needs a work tree without uncommitted changes; with --isolation " +
    "worktree the task gets a separate folder. An assistant that executes the same task afterwards continues this execution.",
  examples: [
    ["forge run start Auth/Ab12Cd", "Start here, on a new branch."],
    [
      "forge run start Auth Ab12Cd --isolation worktree --run-tests",
      "Start in a separate folder, and run the tests before the merge.",
    ],
  ],
  arguments: taskArguments,
  only: true,
  options: {
    "options.isolation": {
      help: "Work in the project's folder, or in a separate work tree (default: the project's setting).",
    },
    "options.create_branch": { flag: "no-branch", help: "Work on the current branch." },
    "options.run_tests": { negatable: true, help: "Run the tests before the merge; failures block it." },
    "options.auto_commit": { help: "On completion, also commit remaining changes, instead of failing." },
    "options.finish": {
      help: "Merge at the end, or keep the branch for a pull request (default: the project's setting).",
    },
    "options.resolve_dependencies": { help: "If the task waits for others, start the first that is ready." },
    "options.rollback_on_failure": { help: "End the execution if tests or the merge fail; the branch stays." },
  },
  complete: suggestOpenTask,
  print(started, out) {
    out.print(plain(started.execution_id));
    out.note(describePlace(started));
  },
});

function describePlace({ branch_created: branch, resumed, root, instead }: StartResult): string {
  const what = resumed ? "Resumed" : "Started";
  const task = instead ? ` ${instead.block_id}/${instead.task_id}, which has to be done first,` : "";
  const where = branch === undefined ? "on the current branch" : `on branch ${branch}`;
  return plain(`${what}${task} ${where}, in ${root}`);
}
