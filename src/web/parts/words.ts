const steps: [limitSeconds: number, unitSeconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, "second"],
  [3_600, 60, "minute"],
  [86_400, 3_600, "hour"],
  [30 * 86_400, 86_400, "day"],
  [365 * 86_400, 30 * 86_400, "month"],
  [Number.POSITIVE_INFINITY, 365 * 86_400, "year"],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** `3 minutes ago`. */
export function ago(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1_000;
  if (!Number.isFinite(seconds)) return "";
  if (Math.abs(seconds) < 5) return "now";
  const [, size, unit] = steps.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 1, "second" as const];
  return relative.format(Math.round(seconds / size), unit);
}

export function exactTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleString();
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** `root/claude-code#14e2` works for root as claude-code. */
export function workerName(holder: string): string {
  const [, agent] = /\/([^#]+)/.exec(holder) ?? [];
  return agent ?? holder.split("#")[0] ?? holder;
}

export function initials(name: string): string {
  const [first = "", second = ""] = name.split(/[\s._-]+/).filter((part) => part !== "");
  return (second === "" ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1)).toUpperCase();
}

/** The same colour for the same name, out of twelve. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return Math.round(sum / 30) * 30;
}

export function plural(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}
