import type { LedgerEntry } from "../data/types.ts";

export type ToolFigures = { name: string; calls: number; failed: number; median: number; longest: number };

/** How often each operation was called, how long it took and how often it failed. */
export function summarizeTools(entries: readonly LedgerEntry[]): ToolFigures[] {
  const byName = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    if (entry.outcome === "open") continue;
    byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
  }
  return [...byName].map(([name, calls]) => {
    const times = calls.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
    return {
      name,
      calls: calls.length,
      failed: calls.filter(({ outcome }) => outcome === "error" || outcome === "interrupted").length,
      median: times[Math.floor(times.length / 2)] ?? 0,
      longest: times.at(-1) ?? 0,
    };
  });
}
