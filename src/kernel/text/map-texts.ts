type Container = unknown[] | Record<string, unknown>;

/** A copy of data in which every text, names included, is replaced. Not recursive, so that any depth works. */
export function mapTexts<T>(value: T, show: (text: string) => string): T {
  const pending: { from: Container; to: Container }[] = [];
  const copyPart = (part: unknown): unknown => {
    if (typeof part === "string") return show(part);
    if (part === null || typeof part !== "object") return part;
    const to: Container = Array.isArray(part) ? [] : {};
    pending.push({ from: part as Container, to });
    return to;
  };
  const copy = copyPart(value) as T;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { from, to } = next;
    if (Array.isArray(to)) for (const item of from as unknown[]) to.push(copyPart(item));
    else for (const [name, part] of Object.entries(from)) put(to, show(name), copyPart(part));
  }
  return copy;
}

/** Assigning to `__proto__` would set the prototype instead. */
function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
