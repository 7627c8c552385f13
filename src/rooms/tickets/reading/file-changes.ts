import { isRecord } from "../../../kernel/json.ts";
import { limits } from "../model/limits.ts";
import type { TicketContent } from "../model/ticket.ts";
import { field, type Loose, parseStructured, present, recordOf, textOf } from "./loose.ts";
import { block, joinParts } from "./plain-text.ts";

type Change = TicketContent["fileChanges"][number];
type Action = Change["action"];
/** What an entry inherits from the lists around it. */
type Inherited = { action?: Action; layer?: string };

const actions = new Map<string, Action>([
  ...["create", "created", "add", "added", "new"].map((word) => [word, "create"] as const),
  ...["modify", "modified", "update", "updated", "edit", "change"].map((word) => [word, "modify"] as const),
  ...["delete", "deleted", "remove", "removed"].map((word) => [word, "delete"] as const),
]);

/** A list within an action within a layer is the deepest nesting in use. */
const maxDepth = 3;

/** The files that a ticket changes, from the first place that names any; each path once. */
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
function changesIn(value: unknown, inherited: Inherited, depth: number): Change[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((item) => changesIn(item, inherited, depth + 1));
  if (!isRecord(value)) return changeAt(textOf(value), {}, inherited);
  const path = textOf(field(value, "path", "file", "filePath"));
  if (path !== undefined) return changeAt(path, value, inherited);
  return Object.entries(value).flatMap(([name, part]) =>
    part !== null && typeof part === "object" ? changesIn(part, inheritFrom(name, inherited), depth + 1) : [],
  );
}

function inheritFrom(name: string, inherited: Inherited): Inherited {
  const action = actions.get(name.toLowerCase());
  if (action) return { ...inherited, action };
  return name.length <= limits.name ? { ...inherited, layer: name } : inherited;
}

function changeAt(given: string | undefined, entry: Loose, inherited: Inherited): Change[] {
  const path = given?.trim();
  if (!path || path.length > limits.path) return [];
  const word = textOf(field(entry, "action", "changeType", "type"))
    ?.trim()
    .toLowerCase();
  const action = word === undefined ? inherited.action : actions.get(word);
  const layer = textOf(field(entry, "layer")) ?? inherited.layer;
  return [{ path, action: action ?? "modify", ...present({ notes: notesOf(entry), layer }) }];
}

function notesOf(entry: Loose): string | undefined {
  const notes = block(field(entry, "notes"));
  return notes ?? joinParts("\n", [block(field(entry, "pattern")), block(field(entry, "suggestedChanges"))]);
}
