import { wrongSince } from "./errors.ts";

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A moment in milliseconds from `90m` (that long ago), `2026-11-01` (that day's beginning here) or a full ISO time. */
export function readSince(text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return now - Number(amount) * (unitMs[unit] ?? 0);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text);
  // Without a time of day a date would be read as UTC, which is not what the clock on the wall says.
  const moment = isDay ? new Date(`${text}T00:00`).getTime() : isTime ? new Date(text).getTime() : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw wrongSince(text);
}
