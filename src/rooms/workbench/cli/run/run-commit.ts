import { commandFor } from "../../../../commons/cli/command-for.ts";
import { safeLines } from "../../../../commons/cli/print/text-lines.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { conflictingCommitOptions, missingCommitMessage } from "../errors.ts";
import { executionArgument, requireExecution } from "../execution-argument.ts";
import { commandFacts } from "../shared.ts";
import { suggestExecution } from "../suggestions.ts";

type Input = Parameters<typeof forgeCommitChanges.run>[1];

export const runCommit = commandFor<typeof forgeCommitChanges>({
  ...commandFacts,
  tool: "forge_commit_changes",
  name: "run commit",
  summary: "Commit an execution's changes, merge its branch and complete the task",
  details:
    "Commits everything that the execution changed, or the files you name. The branch is merged into its base and deleted. " +
    "Nothing is done if changes would be left out. Untracked files that you had before are never committed; files that someone " +
    "else changed are only committed if you name them. The exit code is 1 if the task could not be completed.",
  examples: [
    ['forge run commit -m "Add sign-in"', "Finish the only open execution."],
    ['forge run commit 5d0c -m "First half" --file src/auth.ts --no-complete', "Only commit, and continue working."],
  ],
  arguments: [executionArgument],
  only: true,
  options: {
    message: { short: "m", help: "What was done (required)." },
    files: { flag: "file", value: "PATH", path: "file", help: "Only this file, relative to the execution's folder." },
    complete: { flag: "no-complete", help: "Only commit: no merge, and the task stays in progress." },
  },
  own: {
    "as-committed": { type: "boolean", help: "Commit nothing more; complete the task with what is committed." },
  },
  complete: suggestExecution,
  async toInput(given, { app, options }) {
    const input = given as Input;
    if (input.message === undefined || input.message.trim() === "") throw missingCommitMessage();
    const isAsCommitted = options["as-committed"] === true;
    if (isAsCommitted && (input.files !== undefined || input.complete === false)) throw conflictingCommitOptions();
    const execution_id = await requireExecution(app, input.execution_id);
    return { ...input, ...(isAsCommitted && { files: [] }), execution_id };
  },
  print({ summary, hooks_output: hooks, branch_kept: kept }, out, { app }) {
    out.print(safeLines(summary).join("\n"));
    if (hooks !== undefined && hooks.trim() !== "") out.note(safeLines(hooks).join("\n"));
    if (kept !== undefined) out.note(plain(`The branch ${kept} was kept.`));
    if (!entryAt(app.project.root))
      out.note("The work tree that you are in was removed. Go back to the project's folder.");
  },
  exitCode: ({ success }) => (success ? 0 : 1),
});
