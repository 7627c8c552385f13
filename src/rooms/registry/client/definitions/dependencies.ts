import { setImmediate as turn } from "node:timers/promises";
import { ForgeError } from "../../../../kernel/errors.ts";
import { dependencyConflict, dependencyCycle, tooManyDependencies } from "../errors.ts";
import type { Dependency, Fields, Kind } from "../types.ts";
import { describe } from "./definition.ts";
import { parseReference } from "./reference.ts";
import { highest, isAnyVersion, satisfies } from "./versions.ts";

const maxDependencies = 500;
/** Of all definitions together. */
const maxNeeds = 10_000;

export type Available = { name: string; version: string; load(): Promise<Fields> };

/** What the graph is made of: every version of a name that can be had, best source first. */
export type Supply = (kind: Kind, name: string) => Promise<Available[]>;

type Wanted = { range: string; path: readonly string[] };
type Need = { kind: Kind; reference: string; path: readonly string[] };
/** By range, who first wanted it; and the versions that fit them all. */
type Sought = { wanted: Map<string, Wanted>; fitting: Available[] };

/**
 * Everything an agent or tool needs, also through others, each in the highest version that satisfies all who need it. Names
 * that no definition has are left out: clients have tools of their own.
 */
export async function resolveDependencies(
  root: { kind: Kind; name: string; fields: Fields },
  supply: Supply,
): Promise<Dependency[]> {
  const sought = new Map<string, Sought>();
  const chosen = new Map<string, Dependency>();
  const queue = needsOf(root.kind, root.fields, [root.name]);
  for (let [need, count] = [queue.shift(), 0]; need; need = queue.shift()) {
    const reference = parseWanted(need.reference);
    if (!reference) continue;
    const { name, range } = reference;
    if (need.path.includes(name)) throw dependencyCycle([...need.path, name]);
    const key = `${need.kind} ${name}`;
    const known = sought.get(key) ?? { wanted: new Map<string, Wanted>(), fitting: await supply(need.kind, name) };
    sought.set(key, known);
    if (known.wanted.has(range) || (known.wanted.size === 0 && known.fitting.length === 0)) continue;
    if (++count + queue.length > maxNeeds) throw tooManyDependencies(root.name, maxDependencies);
    if (count % 20 === 0) await turn();
    const best = narrow(known, name, { range, path: need.path });
    if (chosen.get(key)?.version === best.version) continue;
    if (chosen.size >= maxDependencies) throw tooManyDependencies(root.name, maxDependencies);
    chosen.set(key, { name, version: best.version, type: need.kind });
    queue.push(...needsOf(need.kind, await best.load(), [...need.path, name]));
  }
  return [...chosen.values()];
}

/** The highest version of those that fit one more. */
function narrow(known: Sought, name: string, one: Wanted): Available {
  known.wanted.set(one.range, one);
  known.fitting = known.fitting.filter(({ version }) => satisfies(version, one.range));
  const closed = [...known.wanted.keys()].find((range) => !isAnyVersion(range));
  const best = highest(known.fitting, ({ version }) => version, closed === undefined ? [] : [closed]);
  if (best) return best;
  throw dependencyConflict(name, [...known.wanted.values()].slice(-3));
}

function needsOf(kind: Kind, fields: Fields, path: readonly string[]): Need[] {
  const { tools = [], dependsOn, customTools } = describe(fields, kind);
  const references = kind === "agent" ? [...tools, ...dependsOn] : dependsOn;
  const own = new Set(customTools);
  return [...new Set(references)]
    .filter((reference) => !own.has(reference))
    .map((reference) => ({ kind: "tool" as const, reference, path }));
}

/** A name as clients write it may be no reference of ours: `Bash(git:*)`. */
function parseWanted(reference: string): { name: string; range: string } | undefined {
  try {
    const { text, range = "*" } = parseReference(reference);
    return { name: text, range };
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
