import type { Reference } from "../definitions/reference.ts";
import { highest } from "../definitions/versions.ts";
import { isPluginNamed } from "../plugins/manifest.ts";
import type { Kind, Source } from "../types.ts";
import type { StoreContent } from "./definition-store.ts";
import type { Entry } from "./stored-entry.ts";

/** The first that has a name is where it comes from. */
export const sourceOrder: readonly Source[] = ["local", "global", "stockyard"];

type Group = {
  /** One entry for each name and source: the highest version. */
  list: Entry[];
  /** All entries of a name. */
  findNamed(name: string): Entry[];
  /** The list of one source, made when it is first asked for. */
  ofSource(source: Source): Entry[];
};

const groups = new WeakMap<StoreContent, Record<Kind, Group>>();

/** What lists show, worked out once for each look at the files. */
export function groupsOf(listing: StoreContent): Record<Kind, Group> {
  const known = groups.get(listing);
  if (known) return known;
  const made = { agent: group(listing, "agent"), tool: group(listing, "tool") };
  groups.set(listing, made);
  return made;
}

function group({ entries }: StoreContent, kind: Kind): Group {
  const own = entries.filter((entry) => entry.kind === kind);
  own.sort((a, b) => compareNames(a, b) || byPreference(a, b));
  const list: Entry[] = [];
  for (let start = 0, end = 0; start < own.length; start = end) {
    const first = own[start];
    while (end < own.length && own[end]?.name === first?.name && own[end]?.source === first?.source) end++;
    const best = end - start === 1 ? first : highest(own.slice(start, end), ({ version }) => version, []);
    if (best) list.push(best);
  }
  let byName: Map<string, Entry[]> | undefined;
  const findNamed = (name: string) => {
    byName ??= groupByName(own);
    return byName.get(name) ?? [];
  };
  const lists = new Map<Source, Entry[]>();
  const ofSource = (source: Source) => {
    const known = lists.get(source) ?? list.filter((entry) => entry.source === source);
    lists.set(source, known);
    return known;
  };
  return { list, findNamed, ofSource };
}

/** For lookups; a list needs no such table. */
function groupByName(entries: readonly Entry[]): Map<string, Entry[]> {
  const byName = new Map<string, Entry[]>();
  for (const entry of entries) {
    const same = byName.get(entry.name);
    if (same) same.push(entry);
    else byName.set(entry.name, [entry]);
  }
  return byName;
}

export function compareNames(a: Entry, b: Entry): number {
  return a.name === b.name ? sourceOrder.indexOf(a.source) - sourceOrder.indexOf(b.source) : a.name < b.name ? -1 : 1;
}

/** A definition of the project's own before a plugin's, and Markdown before YAML. */
function byPreference(a: Entry, b: Entry): number {
  const rank = (entry: Entry) => (entry.plugin === undefined ? 0 : 2) + (entry.path.endsWith(".md") ? 0 : 1);
  return rank(a) - rank(b);
}

/** What a reference can mean, of the first of its meanings that there is. */
export function findMatches(listing: StoreContent, kind: Kind, candidates: Reference["candidates"]): Entry[] {
  const { findNamed } = groupsOf(listing)[kind];
  for (const { name, plugin } of candidates) {
    const entries = findNamed(name);
    const found =
      plugin === undefined
        ? entries
        : entries.filter((entry) => entry.plugin !== undefined && isPluginNamed(entry.plugin, plugin));
    if (found.length > 0) return found;
  }
  return [];
}
