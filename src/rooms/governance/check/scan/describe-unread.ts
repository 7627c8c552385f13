import { visible } from "../../../../kernel/text/visible.ts";

const maxNamed = 5;

/** Links, large files, and names that are not text: a check that passes says nothing about what is in them. */
export function describeUnread(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, maxNamed).map((file) => visible(file));
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : "";
  return [
    `Not checked against the rules, because they are links, too large, or have names that are not UTF-8: ${names.join(", ")}${more}.`,
  ];
}
