import type { Output, Style } from "../../../kernel/definitions/command.ts";
import { padText, plain, truncate, widthOf } from "../../../platform/terminal/text.ts";

export type Column<Row> = {
  title: string;
  cell(row: Row): string;
  align?: "left" | "right";
  /** At least this wide, so that lines printed one by one are aligned. */
  width?: number;
  /** Shrinks if a line is wider than the terminal; the last column always does. */
  shrinks?: boolean;
  paint?(row: Row): keyof Style | undefined;
};

const gap = "  ";
const minWidth = 8;

/** Rows in aligned columns, cut to the width of a terminal; on a pipe nothing is cut. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  out: Pick<Output, "width" | "style">,
  { header }: { header: boolean } = { header: true },
): string {
  const cells = rows.map((row) => columns.map((column) => plain(column.cell(row))));
  const widths = fitWidths(columns, naturalWidths(columns, cells, header), out.width);
  const head = columns.map((column, index) => cell(column.title, column, widths[index]));
  const body = rows.map((row, line) =>
    columns.map((column, index) => {
      const text = cell(cells[line]?.[index] ?? "", column, widths[index]);
      const colour = column.paint?.(row);
      return colour ? out.style[colour](text) : text;
    }),
  );
  const lines = [...(header ? [head.map((title) => out.style.bold(title))] : []), ...body];
  return lines.map((line) => line.join(gap).trimEnd()).join("\n");
}

function cell<Row>(text: string, column: Column<Row>, width = 0): string {
  return padText(truncate(text, width), width, column.align);
}

function naturalWidths<Row>(columns: readonly Column<Row>[], cells: string[][], header: boolean): number[] {
  return columns.map((column, index) =>
    cells.reduce(
      (widest, row) => Math.max(widest, widthOf(row[index] ?? "")),
      Math.max(column.width ?? 0, header ? widthOf(column.title) : 0),
    ),
  );
}

function fitWidths<Row>(columns: readonly Column<Row>[], widths: number[], available: number | undefined): number[] {
  if (available === undefined) return widths;
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width, 0) + gap.length * (columns.length - 1) - available;
  for (let index = columns.length - 1; index >= 0 && excess > 0; index--) {
    if (index !== columns.length - 1 && !columns[index]?.shrinks) continue;
    const width = fitted[index] ?? 0;
    const given = Math.min(excess, Math.max(0, width - minWidth));
    fitted[index] = width - given;
    excess -= given;
  }
  return fitted;
}
