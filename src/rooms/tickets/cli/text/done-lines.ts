import { fields, text } from "../../../../commons/cli/json-fields.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { hanging, safeLines } from "./ticket-text.ts";

const shownFiles = 20;

/** What was handed in with the work; a record of another generation may lack any of it. */
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
    ...files.slice(0, shownFiles).map(fileLine),
    ...(files.length > shownFiles ? [`  and ${files.length - shownFiles} more files`] : []),
    ...objects(divergences).flatMap(({ area, intended, actual, justification }) =>
      hanging(
        "otherwise",
        `${text(area)}: ${text(actual)}\ninstead of: ${text(intended)}\nbecause: ${text(justification)}`,
      ),
    ),
  ];
}

/** How much was changed, in a few words. */
export function doneInShort(record: Record<string, unknown> | undefined): string {
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
