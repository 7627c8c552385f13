import type { Style } from "../../../../kernel/command.ts";
import { safeLines } from "../../../tickets/cli/text/ticket-text.ts";

/** Parts of a thing described for a person. All that comes from it is indented, so that nothing in it poses as a heading. */

export function titled(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style.bold(`${title}:`), ...lines];
}

export function textLines(title: string, text: string | undefined, style: Style): string[] {
  if (text === undefined || text.trim() === "") return [];
  return titled(
    title,
    safeLines(text).map((line) => `  ${line}`.trimEnd()),
    style,
  );
}

/** Those that are known, under each other. */
export function factLines(known: readonly [name: string, value: string | undefined][]): string[] {
  return known.flatMap(([name, value]) => (value === undefined ? [] : [`  ${`${name}:`.padEnd(12)}${value}`]));
}
