import { fields, text } from "../../../../commons/cli/json-fields.ts";
import { hangingLines, safeLines } from "../../../../commons/cli/print/text-lines.ts";
import { plain } from "../../../../platform/terminal/text.ts";

const maxFiles = 20;

/** The record of completed work; one from another program may lack any part. */
export function doneLines(record: Record<string, unknown> | undefined): string[] {
  if (!record) return [];
  const { executionSummary, filesChanged, divergences, branch, commit } = record;
  const summary = text(executionSummary);
  const files = objects(filesChanged);
  return [
    ...(summary === "" ? [] : safeLines(summary).map((line) => `  ${line}`)),
    ...Object.entries({ branch, commit }).flatMap(([name, value]) =>
      text(value) === "" ? [] : [`  ${name}  ${plain(text(value))}`],
    ),
    ...files.slice(0, maxFiles).map(fileLine),
    ...(files.length > maxFiles ? [`  and ${files.length - maxFiles} more files`] : []),
    ...objects(divergences).flatMap(({ area, intended, actual, justification }) =>
      hangingLines(
        "-",
        `Divergence in ${text(area)}: planned ${text(intended)}, did ${text(actual)}, because ${text(justification)}`,
      ),
    ),
  ];
}

/** How much was changed, in a few words. */
export function summarizeDone(record: Record<string, unknown> | undefined): string {
  const { filesChanged } = record ?? {};
  const { length } = objects(filesChanged);
  return `${length} ${length === 1 ? "file" : "files"} changed`;
}

function fileLine({ path, additions, deletions }: Record<string, unknown>): string {
  return `  ${plain(text(path))}  +${Number(additions)} -${Number(deletions)}`;
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(fields) : [];
}
