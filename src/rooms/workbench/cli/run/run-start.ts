import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { ticketBlock } from "../../model/ticket-items.ts";
import type { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import type { StartResult } from "../results.ts";
import { commandFacts } from "../shared.ts";
import { suggestOpenTask } from "../suggestions.ts";

export const runStart = commandFor<typeof forgeExecuteTask>({
  ...commandFacts,
  tool: "forge_execute_task",
  name: "start",
  aliases: ["run start"],
  summary: "Start work on a ticket or a task, on its own branch",
  details:
    "Prints the id of the execution. A ticket that is READY moves to CREATED. In the project's folder it needs a work tree " +
    "without uncommitted changes; with --isolation worktree the work gets a separate folder. An assistant that executes the " +
    "same ticket or task afterwards continues this execution.",
  examples: [
    ["forge start T-001", "Start a ticket here, on a new branch."],
    ["forge start Auth/Ab12Cd", "Start a task."],
    [
      "forge start T-001 --isolation worktree --run-tests",
      "Start in a separate folder, and run the tests before the merge.",
    ],
  ],
  arguments: [
    {
      field: "block_id",
      name: "item",
      required: true,
      help: "A ticket such as T-001, or a task as BLOCK/TASK; or its block, followed by the task.",
    },
    { field: "task_id", name: "task", required: false, help: "The task's id, if the block is given before it." },
  ],
  toInput: (given, { positionals }) => ({ ...given, ...parseItem(positionals) }),
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

/** A task has its block before it; what stands alone is a ticket. */
function parseItem([item = "", task]: string[]): { block_id: string; task_id: string } {
  if (task !== undefined) return { block_id: item, task_id: task };
  const at = item.lastIndexOf("/");
  if (at < 0) return { block_id: ticketBlock, task_id: item };
  return { block_id: item.slice(0, at), task_id: item.slice(at + 1) };
}

function describePlace({ branch_created: branch, resumed, root, instead }: StartResult): string {
  const what = resumed ? "Resumed" : "Started";
  const task = instead ? ` ${instead.block_id}/${instead.task_id}, which has to be done first,` : "";
  const where = branch === undefined ? "on the current branch" : `on branch ${branch}`;
  return plain(`${what}${task} ${where}, in ${root}`);
}
