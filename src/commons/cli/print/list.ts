import type { Output } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { type Column, table } from "./table.ts";

type List<Row> = {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Shown where there are no rows. */
  none: string;
  /** What to type for the next page; undefined on the last. */
  more?: string | undefined;
  /** `table` or `lines` whatever the output is; by default a table on a terminal and lines on a pipe. */
  as?: "table" | "lines" | undefined;
};

/** A table for a person, lines with tabs for a program. */
export function printList<Row>({ columns, rows, none, more, as }: List<Row>, out: Output): void {
  const asLines = as === undefined ? out.width === undefined : as === "lines";
  if (rows.length === 0) out.note(none);
  else if (asLines) out.print(rows.map((row) => columns.map(({ cell }) => plain(cell(row))).join("\t")).join("\n"));
  else out.print(table(columns, rows, out));
  if (more !== undefined) out.note(`More: ${more}`);
}
