/** How a program on the person's terminal ended. */
export type AttachedEnd = { code: number } | { signal: string };

export function describeEnd(end: AttachedEnd): string {
  return "code" in end ? `with exit code ${end.code}` : `by ${end.signal}`;
}
