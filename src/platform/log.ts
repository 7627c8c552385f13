import type { LogLevel } from "../kernel/calls/call.ts";
import type { LogFields } from "../kernel/calls/invoke.ts";
import { visible } from "../kernel/text/visible.ts";

export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

const ranks: Record<LogLevel, number> = { debug: 0, info: 1, warning: 2, error: 3 };
const thresholds = { silent: Number.POSITIVE_INFINITY, error: ranks.warning, info: ranks.info, debug: ranks.debug };

/** One line a message on stderr: `[forge] error: the store is read-only file=…`. Secrets are taken out before it is written. */
export function createLog(level: keyof typeof thresholds, clean: (text: string) => string): Log {
  // If nothing reads stderr, the program goes on.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {});
  return (rank, message, fields = {}) => {
    if (ranks[rank] < thresholds[level]) return;
    const known = typeof fields === "function" ? fields() : fields;
    const pairs = Object.entries(known).map(([key, value]) => ` ${key}=${formatValue(value)}`);
    // Cleaned first: a secret that was made visible no longer looks as it was learned.
    process.stderr.write(`${visible(clean(`[forge] ${rank}: ${message}${pairs.join("")}`))}\n`);
  };
}

/** Of what cannot be made a string, that much is said. */
function formatValue(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "something that cannot be shown";
  }
}
