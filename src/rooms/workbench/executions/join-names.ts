import { visible } from "../../../kernel/text/visible.ts";

/** How many names a message lists. */
export const maxNames = 20;

/** `a, b and 3 more`. */
export function joinNames(names: readonly string[], max = maxNames): string {
  const shown = names
    .slice(0, max)
    .map((name) => visible(name))
    .join(", ");
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}

/** `1 file`, `3 files`. */
export function countFiles(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}
