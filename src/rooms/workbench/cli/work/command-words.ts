import type { App } from "../../../../commons/cli/app.ts";
import type { Command } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";

/** The rooms speak to assistants of tools and their arguments; on a command line the same things are commands and options. */
const phrases: [said: RegExp, meant: string][] = [
  [/forge_get_tasks with block_id "([^"]*)"/g, "`forge task list --block $1`"],
  [/forge_get_tasks with ready: true/g, "`forge task ready`"],
  [/forge_update_task with status pending/g, "`forge task edit BLOCK/TASK --status pending`"],
  [/forge_cancel_execution with execution_id "([^"]*)"/g, "`forge run cancel $1`"],
  [
    /Call forge_execute_task with the block and the task first; it opens one/g,
    "`forge run start BLOCK/TASK` opens one",
  ],
  [/give options: \{resolve_dependencies: true\}/g, "give --resolve-dependencies"],
  [/with options \{run_tests: false\}/g, "with --no-run-tests"],
  [/Pass `options: \{isolation: "worktree"\}`/g, "Give --isolation worktree"],
  [/with `options: \{finish: "branch"\}`/g, "with --finish branch"],
  [/`create_branch: false`, or `isolation: "worktree"`/g, "--no-branch, or --isolation worktree"],
  [/Leave `files` out/g, "Leave --file out"],
  [/Name in `files`/g, "Name with --file"],
  [/(forge_commit_changes with )?`files: \[\]`/g, "`forge run commit --as-committed`"],
  [/named in `files`/g, "named with --file"],
  [/With `complete: false`/g, "With --no-complete"],
  [/; name one with `execution_id`/g, "; name one by its id"],
  [/(?:Pass|Give) `next_cursor` of the (?:answer|page) before/g, "Give --cursor"],
  [/leave `cursor` out for the newest/g, "leave it out for the newest"],
  [/Give `worker` a name/g, "Give --worker a name"],
  [/Correct the arguments and call again\./g, "Correct it and run the command again."],
  // Whoever reads it here is the person.
  [/Where you cannot tell, ask the person\./g, "`forge run diff` shows what was changed."],
  [/Look at it with the person:/g, "Look at it:"],
  [/each with theirs\./g, "each with yours."],
  [/, or ask the person to make this change themselves/g, ", or make this change yourself"],
];

const commands: Record<string, string> = {
  forge_get_blocks: "block list",
  forge_create_block: "block create",
  forge_get_tasks: "task list",
  forge_get_task_details: "task show",
  forge_create_task: "task create",
  forge_update_task: "task edit",
  forge_claim_task: "task claim",
  forge_execute_task: "run start",
  forge_list_executions: "run list",
  forge_get_execution: "run show",
  forge_watch_execution: "run watch",
  forge_run_tests: "run test",
  forge_commit_changes: "run commit",
  forge_cancel_execution: "run cancel",
};

export function inCommandWords(text: string): string {
  const said = phrases
    .reduce((words, [pattern, meant]) => words.replaceAll(pattern, meant), text)
    .replaceAll(/\bAsk the person to ([a-z])/g, (_, first: string) => first.toUpperCase());
  return said.replaceAll(/([Cc]all )?(forge_[a-z_]+)/g, (whole, call: string | undefined, tool: string) => {
    const command = commands[tool];
    if (command === undefined) return whole;
    return `${call === undefined ? "" : call === "Call " ? "Run " : "run "}\`forge ${command}\``;
  });
}

/** The same command, whose errors speak of commands. */
export function spoken(command: Command<App>): Command<App> {
  return {
    ...command,
    async run(app, input, out) {
      try {
        return await command.run(app, input, out);
      } catch (error) {
        throw error instanceof ForgeError ? retold(error) : error;
      }
    },
  };
}

function retold(error: ForgeError): ForgeError {
  const { code, details, next, label } = error;
  // What a tool would take is no help to whoever typed options.
  const message = error.message.replace(/ Expected arguments: [\w, ]+\.$/, "");
  return new ForgeError(code, inCommandWords(message), {
    ...(details && { details }),
    ...(next && { next: next.map(inCommandWords) }),
    ...(label !== undefined && { label }),
    cause: error,
  });
}
