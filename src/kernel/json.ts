/** The value of a JSON text; undefined if it is not valid. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same if it is an object. */
export function tryParseRecord(text: string): Record<string, unknown> | undefined {
  const value = tryParseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Whether a value is a JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether data is nested deeper than that. It descends no further than the limit: hostile data must not end the process that measures it. */
export function isDeeperThan(value: unknown, max: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (max < 0) return true;
  if (Array.isArray(value)) return value.some((child) => isDeeperThan(child, max - 1));
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], max - 1)) return true;
  return false;
}

/** Whether JSON text has more brackets open at once than that: cheaper to count than to parse. */
export function isTextDeeperThan(text: string, max: number): boolean {
  let open = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) inString = !inString;
    else if (inString) index += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) open++;
    else if (code === 0x5d || code === 0x7d) open--;
    if (open > max) return true;
  }
  return false;
}
