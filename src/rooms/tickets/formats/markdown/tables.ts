import { isBlank, type Line } from "./lines.ts";

const delimiterCell = /^:?-+:?$/;
const lineBreak = /<br\s?\/?>/gi;

export function table(header: string[], rows: (string | undefined)[][]): string {
  const lines = [header, header.map(() => "---"), ...rows.map((row) => row.map(cell))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cell(text = ""): string {
  return text.trim().replaceAll("|", "\\|").replaceAll("\n", "<br>");
}

export type Row = { line: Line; cells: Map<string, string> };

/** Rows by column names in lower case, and the lines that are not in a table. */
export function readTables(lines: Line[]): { rows: Row[]; others: Line[] } {
  const rows: Row[] = [];
  const others: Line[] = [];
  let columns: string[] | undefined;
  lines.forEach((line, index) => {
    const cells = cellsOf(line.text);
    if (!cells) {
      columns = undefined;
      if (!isBlank(line)) others.push(line);
    } else if (!columns) {
      const next = cellsOf(lines[index + 1]?.text ?? "");
      if (next && isDelimiter(next)) columns = cells.map((name) => name.toLowerCase());
      else others.push(line);
    } else if (!isDelimiter(cells)) {
      rows.push({ line, cells: new Map(columns.map((name, column) => [name, cells[column] ?? ""])) });
    }
  });
  return { rows, others };
}

function isDelimiter(cells: string[]): boolean {
  return cells.length > 0 && cells.every((text) => delimiterCell.test(text));
}

/** Undefined if the line is not a row. A bar within a cell has a backslash before it. */
function cellsOf(line: string): string[] | undefined {
  const trimmed = line.trim();
  if (!trimmed.startsWith("|")) return undefined;
  const pieces = trimmed.slice(1).split("|");
  const cells: string[] = [];
  let open = "";
  for (const piece of pieces) {
    if (piece.endsWith("\\")) open += `${piece.slice(0, -1)}|`;
    else {
      cells.push(open + piece);
      open = "";
    }
  }
  if (open) cells.push(open);
  else if (cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((text) => text.trim().replaceAll(lineBreak, "\n"));
}
