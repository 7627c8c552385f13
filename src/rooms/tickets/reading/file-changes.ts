import { isRecord } from "../../../kernel/json.ts";
import { limits } from "../model/limits.ts";
import type { TicketContent } from "../model/ticket.ts";
import { field, type Loose, parseStructured, present, recordOf, textOf } from "./loose.ts";
import { block, joinParts } from "./plain-text.ts";

type Change = TicketContent["fileChanges"][number];
type Action = Change["action"];
/** What the place of an entry says of it. */
type Inherited = { action?: Action; layer?: string };

const actions = new Map<string, Action>([
  ...["create", "created", "add", "added", "new"].map((word) => [word, "create"] as const),
  ...["modify", "modified", "update", "updated", "edit", "change"].map((word) => [word, "modify"] as const),
  ...["delete", "deleted", "remove", "removed"].map((word) => [word, "delete"] as const),
]);

/** A list in an action in a layer; nobody nests deeper. */
const maxDepth = 3;

/** The files a ticket is to touch, from the first place that names any; each path once. */
export function readFileChanges(document: Loose, techSpec: Loose): Change[] {
  const solution = recordOf(field(techSpec, "solution")) ?? {};
  const places = [
    field(document, "fileChanges"),
    field(techSpec, "fileChanges"),
    field(techSpec, "layeredFileChanges"),
    field(solution, "fileChanges"),
  ];
  for (const place of places) {
    const changes = uniquePaths(changesIn(parseStructured(place), {}, 0));
    if (changes.length > 0) return changes;
  }
  return [];
}

function uniquePaths(changes: readonly Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** Entries in a list, or in lists by action or by layer. */
function changesIn(value: unknown, setting: Inherited, depth: number): Change[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((item) => changesIn(item, setting, depth + 1));
  if (!isRecord(value)) return changeAt(textOf(value), {}, setting);
  const path = textOf(field(value, "path", "file", "filePath"));
  if (path !== undefined) return changeAt(path, value, setting);
  return Object.entries(value).flatMap(([name, part]) =>
    part !== null && typeof part === "object" ? changesIn(part, inheritFrom(name, setting), depth + 1) : [],
  );
}

function inheritFrom(name: string, setting: Inherited): Inherited {
  const action = actions.get(name.toLowerCase());
  if (action) return { ...setting, action };
  return name.length <= limits.name ? { ...setting, layer: name } : setting;
}

function changeAt(given: string | undefined, entry: Loose, setting: Inherited): Change[] {
  const path = given?.trim();
  if (!path || path.length > limits.path) return [];
  const word = textOf(field(entry, "action", "changeType", "type"))
    ?.trim()
    .toLowerCase();
  const action = word === undefined ? setting.action : actions.get(word);
  const layer = textOf(field(entry, "layer")) ?? setting.layer;
  return [{ path, action: action ?? "modify", ...present({ notes: notesOf(entry), layer }) }];
}

function notesOf(entry: Loose): string | undefined {
  const notes = block(field(entry, "notes"));
  return notes ?? joinParts("\n", [block(field(entry, "pattern")), block(field(entry, "suggestedChanges"))]);
}
