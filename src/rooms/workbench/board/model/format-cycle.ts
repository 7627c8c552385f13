import { visible } from "../../../../kernel/text/visible.ts";
import { limits } from "../../model/limits.ts";

/** `A → B → A`. A long path keeps its ends. */
export function formatCycle(path: readonly string[]): string {
  const ends = path.length > 20 ? [...path.slice(0, 10), "…", ...path.slice(-9)] : path;
  return ends.map((id) => visible(id.slice(0, limits.id))).join(" → ");
}
