import type { App } from "../../../../commons/cli/app.ts";
import { progressLine } from "../../../../commons/cli/progress-line.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { choiceOf } from "../../../tickets/cli/choice.ts";
import type { StartedExecution } from "../desk.ts";
import { deskForResult, facts, warn } from "./common.ts";
import { completeOpenTask, taskArguments, taskReference } from "./task-reference.ts";

const isolations = ["none", "worktree"] as const;
const finishes = ["merge", "branch"] as const;

export const runStart = defineCommand({
  ...facts,
  name: "run start",
  summary: "Begin work on a task, on a branch of its own",
  details:
    "Prints the execution's id. In place it needs a work tree without uncommitted changes; with --isolation worktree the task " +
    "gets a folder of its own. An assistant that is then told to execute the task goes on with the same execution.",
  examples: [
    ["forge run start Auth/Ab12Cd", "Here, on a new branch."],
    [
      "forge run start Auth Ab12Cd --isolation worktree --run-tests",
      "In a folder of its own; tests run before the merge.",
    ],
  ],
  arguments: taskArguments,
  options: {
    isolation: {
      type: "string",
      choices: isolations,
      help: "Work here, or in a work tree of its own; else as the project has set it.",
    },
    "no-branch": { type: "boolean", help: "Work on the current branch." },
    "run-tests": { type: "boolean", help: "Run the tests before the merge; failing ones block it." },
    "no-run-tests": { type: "boolean", help: "Taking one up again: run them no longer." },
    "auto-commit": { type: "boolean", help: "Commit what is left over at the end, instead of refusing." },
    finish: {
      type: "string",
      choices: finishes,
      help: "Merge at the end, or leave the branch for a pull request; else as the project has set it.",
    },
    "resolve-dependencies": {
      type: "boolean",
      help: "Where the task waits for others, begin the first that is ready.",
    },
    "rollback-on-failure": { type: "boolean", help: "Give up and go back where tests or the merge fail." },
  },
  complete: completeOpenTask,
  async run(app: App, { positionals, options }, out) {
    const chosen = {
      isolation: choiceOf(isolations, options.isolation),
      create_branch: options["no-branch"] ? false : undefined,
      run_tests: options["no-run-tests"] ? false : options["run-tests"],
      auto_commit: options["auto-commit"],
      finish: choiceOf(finishes, options.finish),
      resolve_dependencies: options["resolve-dependencies"],
      rollback_on_failure: options["rollback-on-failure"],
    };
    const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
    const desk = await deskForResult(app);
    try {
      const started = await desk.start({ ...taskReference(positionals), options: given }, (progress) =>
        out.progress(progressLine(progress)),
      );
      out.data(started, ({ execution_id }) => plain(execution_id));
      warn(out, started.warnings);
      if (!out.json) out.note(whereText(started));
    } finally {
      out.progress(undefined);
    }
    return 0;
  },
});

function whereText({ branch_created: branch, resumed, root, instead }: StartedExecution): string {
  const which = instead ? `${instead.block_id}/${instead.task_id}, which has to be done first, is` : "The task is";
  const where = branch === undefined ? "on the current branch" : `on ${branch}`;
  return plain(`${which} ${resumed ? "taken up again" : "begun"} ${where}, in ${root}`);
}
