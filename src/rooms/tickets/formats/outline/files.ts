import { isRecord } from "../../../../kernel/json.ts";
import { fileActions } from "../../model/limits.ts";
import type { TicketDocument } from "../../model/ticket.ts";
import type { Homes } from "./homes.ts";
import { compact, lineOf, listOf, objectOr, textOf } from "./loose.ts";
import { type FileLine, layers } from "./outline.ts";

type FilesHome = NonNullable<Homes["files"]>;

/** From the first place that has any. */
export function outlineFiles(
  document: TicketDocument,
  techSpec: Record<string, unknown>,
): { value: FileLine[]; home: FilesHome } | undefined {
  const places: [FilesHome, FileLine[]][] = [
    ["ticket", fileList(document["fileChanges"])],
    ["techSpec", fileList(techSpec["fileChanges"])],
    ["layers", filesByLayer(objectOr(techSpec["layeredFileChanges"]))],
    ["solution", filesByAction(objectOr(objectOr(techSpec["solution"])["fileChanges"]))],
  ];
  const found = places.find(([, value]) => value.length > 0);
  return found && { home: found[0], value: found[1] };
}

function fileList(value: unknown): FileLine[] {
  return (listOf(value) ?? []).map((entry) => {
    if (!isRecord(entry)) return { path: lineOf(entry) };
    return {
      path: textOf(entry["path"]) ?? "",
      action: textOf(entry["action"]),
      notes: textOf(entry["notes"]),
      layer: textOf(entry["layer"]),
    };
  });
}

function filesByLayer(value: Record<string, unknown>): FileLine[] {
  return layers.flatMap((layer) => fileList(value[layer]).map((file) => ({ ...file, layer })));
}

function filesByAction(value: Record<string, unknown>): FileLine[] {
  return fileActions.flatMap((action) => fileList(value[action]).map(({ path }) => ({ path, action })));
}

/** The value of the property for them, within `techSpec` for all homes but the ticket itself. */
export function toDocumentFiles(files: FileLine[], home: FilesHome): unknown {
  if (home === "layers") return groupFiles(files, layers, ({ layer, ...file }) => [layer, compact(file)]);
  if (home === "solution") return groupFiles(files, fileActions, ({ action, path }) => [action, path]);
  return files.map((file) => compact(file));
}

function groupFiles(
  files: FileLine[],
  names: readonly string[],
  sort: (file: FileLine) => [name: string | undefined, value: unknown],
): Record<string, unknown> {
  const sorted = files.map(sort);
  const groups = names.map((name): [string, unknown[]] => [
    name,
    sorted.filter(([group]) => group === name).map(([, value]) => value),
  ]);
  return Object.fromEntries(groups.filter(([, values]) => values.length > 0));
}

/** A home that can hold all of them, the wished one if possible: a file without a layer fits into no layer's list. */
export function chooseHome(files: FileLine[], wished: FilesHome): FilesHome {
  if (wished === "layers" && !areLayered(files)) return "techSpec";
  if (wished !== "solution") return wished;
  const isPlain = ({ action, notes }: FileLine) => fileActions.some((name) => name === action) && notes === undefined;
  return files.every(isPlain) ? wished : "techSpec";
}

export function areLayered(files: FileLine[]): boolean {
  return files.length > 0 && files.every(({ layer }) => layers.some((name) => name === layer));
}
