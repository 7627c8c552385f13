const headShare = 0.6;
const gap = "\n…\n";

/** A text without its middle, if it is too long: what failed is at the beginning of a message, or at the end of an output. */
export function shortenMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.floor((length - gap.length) * headShare);
  return text.slice(0, head) + gap + text.slice(text.length - (length - gap.length - head));
}
