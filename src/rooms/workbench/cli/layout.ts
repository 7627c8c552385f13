import { safeLines } from "../../../commons/cli/print/text-lines.ts";
import type { Style } from "../../../kernel/definitions/command.ts";

/** Parts of a description. Everything from data is indented, so that nothing in it looks like a heading. */

export function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style.bold(`${title}:`), ...lines];
}

export function textSection(title: string, text: string | undefined, style: Style): string[] {
  if (text === undefined || text.trim() === "") return [];
  return section(
    title,
    safeLines(text).map((line) => `  ${line}`.trimEnd()),
    style,
  );
}

/** Names and values in two columns; unknown values are left out. */
export function factLines(facts: readonly [name: string, value: string | undefined][]): string[] {
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`  ${`${name}:`.padEnd(12)}${value}`]));
}
