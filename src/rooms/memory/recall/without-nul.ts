/** PostgreSQL cannot store the character; one memory with it would keep all others from being shared. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}
