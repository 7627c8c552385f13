/** How long a value is as JSON. */
export function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
