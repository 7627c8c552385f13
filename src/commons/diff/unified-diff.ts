import { diffLines, formatHunks } from "./line-diff.ts";

/** The change of one file as a unified diff; a file that does not exist is `/dev/null`. Line endings are not compared. */
export function formatUnifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  const { hunks } = diffLines(toLf(before), toLf(after));
  const head = [`--- ${before === undefined ? "/dev/null" : name}`, `+++ ${after === undefined ? "/dev/null" : name}`];
  return [...head, ...(hunks.length > 0 ? [formatHunks(hunks)] : [])].join("\n");
}

function toLf(text: string | undefined): string {
  return (text ?? "").replaceAll("\r\n", "\n");
}
