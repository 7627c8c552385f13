import { ForgeError } from "../../../../kernel/errors.ts";
import { dependencyConflict, dependencyCycle, tooManyDependencies } from "../errors.ts";
import type { Dependency, Fields, Kind } from "../types.ts";
import { describe } from "./definition.ts";
import { parseReference } from "./reference.ts";
import { highest } from "./versions.ts";

const maxDependencies = 500;

export type Available = { name: string; version: string; load(): Promise<Fields> };

/** What the graph is made of: every version of a name that can be had, best source first. */
export type Supply = (kind: Kind, name: string) => Promise<Available[]>;

type Wanted = { range: string; path: readonly string[] };
type Need = { kind: Kind; reference: string; path: readonly string[] };

/**
 * Everything an agent or tool needs, also through others, each in the highest version that satisfies all who need it. Names
 * that no definition has are left out: clients have tools of their own.
 */
export async function resolveDependencies(
  root: { kind: Kind; name: string; fields: Fields },
  supply: Supply,
): Promise<Dependency[]> {
  const wanted = new Map<string, Wanted[]>();
  const chosen = new Map<string, Dependency>();
  const queue = needsOf(root.kind, root.fields, [root.name]);
  for (let need = queue.shift(); need; need = queue.shift()) {
    const reference = parseWanted(need.reference);
    if (!reference) continue;
    const { name, range } = reference;
    if (need.path.includes(name)) throw dependencyCycle([...need.path, name]);
    const available = await supply(need.kind, name);
    if (available.length === 0) continue;
    const key = `${need.kind} ${name}`;
    const all = [...(wanted.get(key) ?? []), { range, path: need.path }];
    wanted.set(key, all);
    const best = highest(
      available,
      ({ version }) => version,
      all.map((one) => one.range),
    );
    if (!best) throw dependencyConflict(name, all);
    if (chosen.get(key)?.version === best.version) continue;
    if (chosen.size >= maxDependencies) throw tooManyDependencies(root.name, maxDependencies);
    chosen.set(key, { name, version: best.version, type: need.kind });
    queue.push(...needsOf(need.kind, await best.load(), [...need.path, name]));
  }
  return [...chosen.values()];
}

function needsOf(kind: Kind, fields: Fields, path: readonly string[]): Need[] {
  const { tools = [], dependsOn, customTools } = describe(fields, kind);
  const references = kind === "agent" ? [...tools, ...dependsOn] : dependsOn;
  return references
    .filter((reference) => !customTools.includes(reference))
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
