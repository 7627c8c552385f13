import type { App } from "../../../../commons/cli/app.ts";
import { progressLine } from "../../../../commons/cli/progress-line.ts";
import { defineCommand, type Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { safeLines } from "../../../tickets/cli/text/ticket-text.ts";
import type { ShownCommit } from "../desk.ts";
import { inCommandWords } from "./command-words.ts";
import { deskForResult, facts, warn } from "./common.ts";
import { completeExecution, executionArgument, requireExecution } from "./execution-argument.ts";

export const runCommit = defineCommand({
  ...facts,
  name: "run commit",
  summary: "Commit an execution's changes, merge its branch and complete the task",
  details:
    "All that the execution changed, or the files named; nothing is done where changes would be left out. The branch is merged " +
    "into the one it began from and deleted. Files that were yours and untracked before it began are never committed; what " +
    "others changed in the folder beside an assistant that writes with Forge's tools, only where it is named. The exit code is 1 " +
    "where the task could not be completed.",
  examples: [
    ['forge run commit -m "Add sign-in"', "The one that is open, whole."],
    ['forge run commit 5d0c -m "First half" --file src/auth.ts --no-complete', "Only commit, and go on."],
  ],
  arguments: [executionArgument],
  options: {
    message: { type: "string", short: "m", help: "What was done; needed." },
    file: { type: "list", value: "PATH", path: "file", help: "Only this file, from the execution's folder." },
    "as-committed": { type: "boolean", help: "Commit nothing more: complete the task with what is committed." },
    "no-complete": { type: "boolean", help: "Only commit: no merge, and the task goes on." },
  },
  complete: completeExecution,
  async run(app: App, { positionals: [typed], options }, out) {
    const { message, file, "as-committed": asCommitted = false, "no-complete": only = false } = options;
    if (message === undefined || message.trim() === "") throw noMessage();
    if (asCommitted && (file !== undefined || only)) throw nothingMore();
    const desk = await deskForResult(app);
    const asked = {
      message,
      files: asCommitted ? [] : file,
      complete: !only,
      execution_id: await requireExecution(desk, typed),
    };
    try {
      const outcome = await desk.commit(asked, (progress) => out.progress(progressLine(progress)));
      out.data(outcome, ({ summary }) => safeLines(inCommandWords(summary)).join("\n"));
      beside(outcome, out);
      return outcome.success ? 0 : 1;
    } finally {
      out.progress(undefined);
    }
  },
});

function beside({ warnings, hooks_output: hooks, branch_kept: kept, next }: ShownCommit, out: Output): void {
  if (out.json) return;
  if (hooks !== undefined && hooks.trim() !== "") out.note(safeLines(hooks).join("\n"));
  warn(out, warnings);
  if (kept !== undefined) out.note(plain(`The branch ${kept} stays.`));
  if (next !== undefined) out.note(plain(next));
}

function nothingMore(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--as-committed commits nothing more and completes the task.", {
    next: ["Leave out --file and --no-complete, or leave out --as-committed."],
  });
}

function noMessage(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "`forge run commit` needs a message that says what was done.", {
    next: ['Give one: forge run commit -m "Add sign-in"'],
  });
}
