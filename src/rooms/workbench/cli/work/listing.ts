import { shellWord } from "../../../../commons/cli/shell-word.ts";
import { type Column, table } from "../../../../commons/cli/table.ts";
import type { Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { warn } from "./common.ts";

type Listing<Row> = {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Said where there are none. */
  none: string;
  warnings: readonly string[] | undefined;
  /** What to type for the page that follows; undefined where there is none. */
  more: string | undefined;
};

/** A table for a person, lines with tabs for a program, or all of the answer as JSON. */
export function showListing<Row>(answer: unknown, listing: Listing<Row>, out: Output): number {
  const { columns, rows, none, warnings, more } = listing;
  if (out.json) {
    out.data(answer, () => "");
    return 0;
  }
  warn(out, warnings);
  if (rows.length === 0) out.note(none);
  else out.print(asRows(columns, rows, out));
  if (more !== undefined) out.note(`More: ${more}`);
  return 0;
}

export function asRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], out: Output): string {
  if (out.width !== undefined) return table(columns, rows, out);
  return rows.map((row) => columns.map(({ cell }) => plain(cell(row))).join("\t")).join("\n");
}

type Given = Record<string, string | number | boolean | readonly string[] | undefined>;

/** The command again, with the cursor of the page that follows. */
export function nextPage(command: string, given: Given, text: string | undefined, cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const all: Given = { ...given, cursor };
  const words = Object.entries(all).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().map((one) => `--${name}=${shellWord(String(one))}`);
  });
  return [`forge ${command}`, ...words, ...(text === undefined ? [] : ["--", shellWord(text)])].join(" ");
}
