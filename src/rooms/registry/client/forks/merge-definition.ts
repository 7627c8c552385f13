import type { DefinitionText } from "../definitions/definition-text.ts";
import type { Fields } from "../types.ts";
import { type FieldPath, flatten, isSame } from "./compare-fields.ts";
import { mergeText, type Strategy } from "./merge-text.ts";

export type MergedFields = { changed: string[]; conflicts: string[] };

type Three = { path: FieldPath; base: unknown; local: unknown; upstream: unknown };

/**
 * Brings what upstream changed since the base into a fork's text. What the fork did not touch is taken over, lists of names
 * are joined, texts are merged by lines. Anything else that both changed is a conflict: with `local` and `upstream` that side
 * counts, otherwise the fork's own value stays and the other is written beside it.
 */
export function mergeDefinition(
  text: DefinitionText,
  sides: { base: Fields; local: Fields; upstream: Fields },
  strategy: Strategy,
): MergedFields {
  const [base, local, upstream] = [flatten(sides.base), flatten(sides.local), flatten(sides.upstream)];
  const merged: MergedFields = { changed: [], conflicts: [] };
  for (const key of new Set([...base.keys(), ...local.keys(), ...upstream.keys()])) {
    const path = (base.get(key) ?? local.get(key) ?? upstream.get(key))?.path ?? [];
    mergeField(
      text,
      { path, base: base.get(key)?.value, local: local.get(key)?.value, upstream: upstream.get(key)?.value },
      strategy,
      merged,
    );
  }
  return merged;
}

function mergeField(text: DefinitionText, three: Three, strategy: Strategy, merged: MergedFields): void {
  const { path, base, local, upstream } = three;
  if (isSame(upstream, base) || isSame(upstream, local)) return;
  const field = path.join(".");
  if (isSame(local, base)) {
    put(text, path, upstream);
    merged.changed.push(field);
    return;
  }
  const joined = join(three, strategy);
  if (joined) {
    text.set(path, joined.value);
    (joined.isConflict ? merged.conflicts : merged.changed).push(field);
  } else if (strategy === "upstream") {
    put(text, path, upstream);
    merged.changed.push(field);
  } else if (strategy !== "local") {
    merged.conflicts.push(field);
    const other = upstream === undefined ? "upstream removed this" : `upstream has: ${JSON.stringify(upstream)}`;
    if (local === undefined) text.set(path, null);
    text.comment(path, `CONFLICT in ${field}: ${other}`);
  }
}

function put(text: DefinitionText, path: FieldPath, value: unknown): void {
  if (value === undefined) text.delete(path);
  else text.set(path, value);
}

/** Both sides in one value, where its type allows that. */
function join(
  { base, local, upstream }: Three,
  strategy: Strategy,
): { value: unknown; isConflict: boolean } | undefined {
  if (isNames(local) && isNames(upstream) && (base === undefined || isNames(base))) {
    const before = new Set(base ?? []);
    const kept = local.filter((name) => !before.has(name) || upstream.includes(name));
    return { value: [...new Set([...kept, ...upstream.filter((name) => !before.has(name))])], isConflict: false };
  }
  if (!isLongText(local) || !isLongText(upstream)) return undefined;
  const { text, isConflict } = mergeText(typeof base === "string" ? base : "", local, upstream, strategy);
  return { value: text, isConflict };
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isLongText(value: unknown): value is string {
  return typeof value === "string" && value.includes("\n");
}
