const maxQuoted = 64;

/** What somebody typed, as an error repeats it. */
export function quote(text: string): string {
  return `"${text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text}"`;
}
