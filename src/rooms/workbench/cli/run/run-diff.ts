import { commandFor } from "../../../../commons/cli/command-for.ts";
import type { Output, Style } from "../../../../kernel/definitions/command.ts";
import type { forgeDiffExecution } from "../../tools/executions/forge-diff-execution.ts";
import type { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { executionArgument, requireExecution } from "../execution-argument.ts";
import type { RecordResult } from "../results.ts";
import { commandFacts } from "../shared.ts";
import { suggestExecution } from "../suggestions.ts";
import { formatFileLine } from "./describe-execution.ts";
import { findNonUtf8Files, omitBinaryData } from "./patch-text.ts";

const maxNamed = 20;

export const runDiff = commandFor<typeof forgeDiffExecution>({
  ...commandFacts,
  tool: "forge_diff_execution",
  name: "run diff",
  summary: "Show what an execution has changed",
  details:
    "A diff against the commit that it started from: committed and uncommitted changes, and new files. Changes that may belong to " +
    "someone else are left out and named. On a pipe the diff is exact to the byte, so that `git apply` accepts it. For an " +
    "execution that has ended it contains what was committed, as long as git has the commits; --stat always works.",
  examples: [
    ["forge run diff", "Show the diff of the only open execution."],
    ["forge run diff --stat", "Only list files, with numbers of lines."],
    ["forge run diff 5d0c", "Show the diff of an execution by the beginning of its id."],
  ],
  arguments: [executionArgument],
  own: { stat: { type: "boolean", help: "Only list the files, with added and removed lines." } },
  complete: suggestExecution,
  toInput: async ({ execution_id }, { app }) => ({ execution_id: await requireExecution(app, execution_id) }),
  async instead(input, out, { options, call }) {
    if (options["stat"] !== true) return undefined;
    printFiles(await call<typeof forgeGetExecution>("forge_get_execution", { ...input, full: true }), out);
    return 0;
  },
  json({ execution_id, patch, truncated, aside }, { out }) {
    const bytes = Buffer.from(patch, "base64");
    const not_utf8 = findNonUtf8Files(bytes);
    noteDetails({ notUtf8: not_utf8, aside, truncated }, out);
    return { execution_id, diff: bytes.toString(), truncated, not_utf8, aside };
  },
  print({ patch, truncated, aside }, out) {
    const bytes = Buffer.from(patch, "base64");
    const isExact = out.width === undefined;
    if (bytes.length === 0) out.note("No changes.");
    else if (isExact) out.exact(bytes);
    else out.print(omitBinaryData(bytes.toString()).map(createPainter(out.style)).join("\n"));
    noteDetails({ notUtf8: isExact ? [] : findNonUtf8Files(bytes), aside, truncated }, out);
  },
});

type Details = { notUtf8: string[]; aside: string[]; truncated: boolean };

function noteDetails({ notUtf8, aside, truncated }: Details, out: Output): void {
  if (notUtf8.length > 0)
    out.note(`Not UTF-8, so not shown exactly: ${joinNames(notUtf8)}. On a pipe, without --json, it is exact.`);
  if (aside.length > 0) out.note(`Also changed, but left out as it may not belong to this task: ${joinNames(aside)}.`);
  if (truncated) out.note("The diff is cut here, because it is too long; --stat lists every file.");
}

function printFiles({ execution_id, files }: RecordResult, out: Output): void {
  const sum = (lines: "lines_added" | "lines_removed") => files.reduce((total, file) => total + file[lines], 0);
  const total = { files: files.length, lines_added: sum("lines_added"), lines_removed: sum("lines_removed") };
  out.data({ execution_id, files, total }, () =>
    [
      ...files.map(formatFileLine),
      `${total.files} ${total.files === 1 ? "file" : "files"} changed, +${total.lines_added} -${total.lines_removed}`,
    ].join("\n"),
  );
}

function joinNames(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Lines before the first hunk of a file are its header, whatever they begin with. */
function createPainter(style: Style): (line: string) => string {
  let isHeader = true;
  return (line) => {
    if (line.startsWith("diff --git ")) isHeader = true;
    else if (line.startsWith("@@")) isHeader = false;
    if (isHeader) return style.bold(line);
    if (line.startsWith("@@")) return style.cyan(line);
    if (line.startsWith("+")) return style.green(line);
    return line.startsWith("-") ? style.red(line) : line;
  };
}
