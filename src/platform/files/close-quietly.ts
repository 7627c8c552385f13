import { closeSync } from "node:fs";

/** For descriptors that nothing was written through: that closing fails changes nothing for anybody. */
export function closeQuietly(descriptor: number): void {
  if (descriptor < 0) return;
  try {
    closeSync(descriptor);
  } catch {
    // It was only looked at.
  }
}
