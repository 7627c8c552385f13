import { ForgeError } from "../../../../kernel/errors.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { chainTooLong, inheritanceCycle, missingBase } from "../errors.ts";
import type { Fields, Kind } from "../types.ts";
import { textIn } from "./field-values.ts";

const maxBases = 50;
const united = ["tools", "tags", "depends_on"];
const shallow = ["parameters", "config"];

/** A definition that can be extended, with what tells it from all others. */
export type Base = { id: string; name: string; version: string; fields: Fields };

/** The fields of a definition with those of what it extends; `extends` itself stays. */
export async function resolveInheritance(
  child: Base,
  kind: Kind,
  find: (kind: Kind, reference: string) => Promise<Base>,
): Promise<Fields> {
  const chain = [child];
  for (let last = child; ; ) {
    const reference = textIn(last.fields, "extends");
    if (reference === undefined) break;
    if (chain.length > maxBases) throw chainTooLong(child.name, maxBases);
    const names = chain.map(({ name, version }) => `${name}@${version}`);
    last = await find(kind, reference).catch((error: unknown) => {
      throw error instanceof ForgeError && error.code.endsWith("_NOT_FOUND")
        ? missingBase([...names, reference], error)
        : error;
    });
    if (chain.some(({ id }) => id === last.id)) throw inheritanceCycle([...names, `${last.name}@${last.version}`]);
    chain.push(last);
  }
  return chain.reduceRight<Fields>((base, { fields }) => mergeFields(base, fields), {});
}

/** The child counts more; lists of names are united, maps of names joined, tools of its own joined by name. */
function mergeFields(base: Fields, child: Fields): Fields {
  const merged: Fields = { ...base, ...child };
  for (const name of united) {
    const [a, b] = [base[name], child[name]];
    if (Array.isArray(a) && Array.isArray(b)) merged[name] = [...new Set([...a, ...b])];
  }
  for (const name of shallow) {
    const [a, b] = [base[name], child[name]];
    if (isRecord(a) && isRecord(b)) merged[name] = { ...a, ...b };
  }
  merged["custom_tools"] = joinByName(base["custom_tools"], child["custom_tools"]);
  if (merged["custom_tools"] === undefined) delete merged["custom_tools"];
  return merged;
}

function joinByName(base: unknown, child: unknown): unknown {
  if (!Array.isArray(base) || !Array.isArray(child)) return child ?? base;
  const nameIn = (tool: unknown) => (isRecord(tool) ? tool["name"] : undefined);
  const own = new Set(child.map(nameIn));
  return [...base.filter((tool) => !own.has(nameIn(tool))), ...child];
}
