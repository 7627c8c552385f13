import { noFileNamed } from "../errors.ts";
import type { Endpoint, FileLine } from "../outline/outline.ts";
import { headingOf } from "./headings.ts";
import { bodyText, type Line } from "./lines.ts";
import { readTables } from "./tables.ts";

/** Rows of tables, with a layer's heading above them, or items of a list. */
export function readFiles(lines: Line[], source: string): FileLine[] {
  const groups: { layer?: string; lines: Line[] }[] = [{ lines: [] }];
  for (const line of lines) {
    const layer = line.fenced ? undefined : headingOf(line.text, 3);
    if (layer === undefined) groups.at(-1)?.lines.push(line);
    else groups.push({ layer: layer.toLowerCase(), lines: [] });
  }
  return groups.flatMap(({ layer, lines: some }) => {
    const { rows, others } = readTables(some);
    const listed = others.map((line) => listedFile(line, source));
    const tabled = rows.map(({ cells }) => ({
      path: unquote(cells.get("path") ?? cells.get("file") ?? ""),
      action: cells.get("action") || undefined,
      notes: cells.get("notes") || undefined,
    }));
    return [...tabled, ...listed].map((file) => ({ ...file, layer }));
  });
}

const listedPath = /^[-*+] `?([^`\s]+)`?(?: \((\w{1,20})\))?(?::? (.*))?$/;

function listedFile(line: Line, source: string): FileLine {
  const [, path, action, notes] = line.text.match(listedPath) ?? [];
  if (path !== undefined) return { path, action, notes: notes || undefined };
  throw noFileNamed(line, source);
}

function unquote(path: string): string {
  return path.length > 2 && path.startsWith("`") && path.endsWith("`") ? path.slice(1, -1) : path;
}

export function readApi(
  lines: Line[] | undefined,
  form: "text" | "parts" | undefined,
): string | Endpoint[] | undefined {
  if (!lines) return undefined;
  const { rows, others } = readTables(lines);
  const isTable = others.length === 0 && rows.length > 0 && rows.every(({ cells }) => cells.has("route"));
  if (form === "text" || !isTable) return bodyText(lines);
  return rows.map(({ cells }) => ({
    method: cells.get("method") || undefined,
    route: cells.get("route") || undefined,
    authentication: cells.get("auth") || undefined,
    status: cells.get("status") || undefined,
    description: cells.get("description") || undefined,
  }));
}
