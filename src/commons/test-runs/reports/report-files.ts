import { join, relative, sep } from "node:path";
import { tryParseJson } from "../../../kernel/json.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { listFolder } from "../../../platform/files/root/list-folder.ts";
import { readSmallFile } from "../../../platform/files/small-file.ts";

const maxReportBytes = 32 * 1_048_576;
const maxReports = 10_000;

/** A report that a runner wrote: the project's code could have put anything there, so only a plain file of sensible size counts. */
export function readReport(path: string): string | undefined {
  try {
    return readSmallFile(path, maxReportBytes);
  } catch {
    return undefined;
  }
}

/** Files of a folder whose name fits, as absolute paths; none if there is no such folder. */
export function listReports(folder: string, name: RegExp): string[] {
  if (entryAt(folder)?.isDirectory() !== true) return [];
  const { entries } = listFolder(folder, maxReports);
  return entries
    .filter((entry) => entry.kind === "file" && name.test(entry.name))
    .map((entry) => join(folder, entry.name));
}

export function readJsonReport(path: string): unknown {
  const text = readReport(path);
  return text === undefined ? undefined : tryParseJson(text);
}

/** A file as the project names it; the name itself where it is not one of the project's. */
export function toProjectPath(root: string, path: string): string {
  const way = relative(root, path);
  return way === "" || way.startsWith("..") ? path : way.split(sep).join("/");
}

/** The line that a message names in a file: `src/a.test.ts:12:3`. */
export function findLine(message: string, file: string): number | undefined {
  const at = message.indexOf(`${file}:`);
  if (at === -1) return undefined;
  const line = Number.parseInt(message.slice(at + file.length + 1, at + file.length + 9), 10);
  return Number.isSafeInteger(line) && line > 0 ? line : undefined;
}
