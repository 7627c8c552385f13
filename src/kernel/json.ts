/** Whether a value is a JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether data is nested deeper than that. By level, not by recursion: hostile data must not end the process that measures it. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return true;
    level = level.flatMap(listChildren);
  }
  return false;
}

function listChildren(value: unknown): unknown[] {
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).filter((child) => child !== null && typeof child === "object");
}
