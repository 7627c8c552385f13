import type { LogLevel } from "../kernel/call.ts";

export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;

const ranks: Record<LogLevel, number> = { debug: 0, info: 1, warning: 2, error: 3 };
const thresholds = { silent: Number.POSITIVE_INFINITY, error: ranks.warning, info: ranks.info, debug: ranks.debug };

/** One line a message on stderr: `[forge] error: the store is read-only file=…`. Secrets are taken out before it is written. */
export function createLog(level: keyof typeof thresholds, clean: (text: string) => string): Log {
  // Nobody may be reading; that is no reason to end.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {});
  return (rank, message, fields = {}) => {
    if (ranks[rank] < thresholds[level]) return;
    const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${oneLine(shown(value))}`);
    process.stderr.write(clean(`[forge] ${rank}: ${oneLine(message)}${pairs.join("")}\n`));
  };
}

/** Of what cannot be made a string, that much is said. */
function shown(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "something that cannot be shown";
  }
}

/** Control characters in data must not start lines or move a terminal's cursor. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
