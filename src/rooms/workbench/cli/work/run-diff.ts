import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand, type Output, type Style } from "../../../../kernel/command.ts";
import type { ShownRecord } from "../desk.ts";
import { deskForResult, facts } from "./common.ts";
import { fileLine } from "./describe-execution.ts";
import { completeExecution, executionArgument, requireExecution } from "./execution-argument.ts";
import { notText, withoutBinary } from "./patch-text.ts";

const mostNamed = 20;

export const runDiff = defineCommand({
  ...facts,
  name: "run diff",
  summary: "Show what an execution has changed, as a diff against where it began",
  details:
    "Committed or not, new files too; what may be somebody else's is left out and named. On a pipe it is exact to the byte, so " +
    "that `git apply` takes it. Of an execution that has ended it is what was committed, merged or not, as long as git has it; " +
    "--stat is always left.",
  examples: [
    ["forge run diff", "Of the one that is open."],
    ["forge run diff --stat", "Only which files, and how many lines."],
    ["forge run diff 5d0c", "By the beginning of its id."],
  ],
  arguments: [executionArgument],
  options: { stat: { type: "boolean", help: "Only the files, with how many lines came and went." } },
  complete: completeExecution,
  async run(app: App, { positionals: [typed], options: { stat = false } }, out) {
    const desk = await deskForResult(app);
    const id = await requireExecution(desk, typed);
    if (stat) return showFiles(await desk.execution(id), out);
    const { bytes, truncated, aside } = await desk.diff(id);
    const isExact = !out.json && out.width === undefined;
    const unreadable = isExact ? [] : notText(bytes);
    if (out.json)
      out.data({ execution_id: id, diff: bytes.toString(), truncated, not_utf8: unreadable, aside }, () => "");
    else if (bytes.length === 0) out.note("Nothing is changed.");
    else if (isExact) out.exact(bytes);
    else out.print(withoutBinary(bytes.toString()).map(painter(out.style)).join("\n"));
    if (unreadable.length > 0)
      out.note(`Not UTF-8, so not shown as it is: ${some(unreadable)}. On a pipe and without --json it is exact.`);
    if (aside.length > 0)
      out.note(`Changed here as well, but not in it, for it may be somebody else's: ${some(aside)}.`);
    if (truncated) out.note("It goes on, and is cut here for its length; --stat shows every file.");
    return 0;
  },
});

function showFiles({ execution_id, files }: ShownRecord, out: Output): number {
  const sum = (lines: "lines_added" | "lines_removed") => files.reduce((total, file) => total + file[lines], 0);
  const total = { files: files.length, lines_added: sum("lines_added"), lines_removed: sum("lines_removed") };
  out.data({ execution_id, files, total }, () =>
    [
      ...files.map(fileLine),
      `${total.files} ${total.files === 1 ? "file" : "files"} changed, +${total.lines_added} -${total.lines_removed}`,
    ].join("\n"),
  );
  return 0;
}

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Lines before a file's first hunk are about the file, whatever they begin with. */
function painter(style: Style): (line: string) => string {
  let isHead = true;
  return (line) => {
    if (line.startsWith("diff --git ")) isHead = true;
    else if (line.startsWith("@@")) isHead = false;
    if (isHead) return style.bold(line);
    if (line.startsWith("@@")) return style.cyan(line);
    if (line.startsWith("+")) return style.green(line);
    return line.startsWith("-") ? style.red(line) : line;
  };
}
