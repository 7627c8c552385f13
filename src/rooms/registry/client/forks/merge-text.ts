import { diff3Merge } from "node-diff3";

export type Strategy = "auto" | "local" | "upstream" | "manual";

type Region = { ok: string[] } | { conflict: { a: string[]; b: string[] } };

export type MergedText = { text: string; isConflict: boolean };

/**
 * Three-way merge by lines. Where both sides changed the same lines, the strategy decides whose count; with `manual` and
 * `auto` both stay, between markers as git writes them.
 */
export function mergeText(base: string, local: string, upstream: string, strategy: Strategy): MergedText {
  const split = (text: string) => text.split("\n");
  const regions = diff3Merge(split(local), split(base), split(upstream), { excludeFalseConflicts: true }) as Region[];
  let isConflict = false;
  const lines = regions.flatMap((region) => {
    if ("ok" in region) return region.ok;
    const { a, b } = region.conflict;
    if (strategy === "local") return a;
    if (strategy === "upstream") return b;
    isConflict = true;
    return ["<<<<<<< local", ...a, "=======", ...b, ">>>>>>> upstream"];
  });
  return { text: lines.join("\n"), isConflict };
}
