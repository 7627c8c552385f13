import type { BmadFiles } from "./bmad-files.ts";

const everyMs = 2_000;

/** Calls back when files that other programs write were changed, added or removed; returns how to stop. */
export function watchFiles(list: () => Promise<string[]>, files: BmadFiles, changed: () => void): () => void {
  let known: string | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const paths = await list();
      const times = await Promise.all(paths.map((path) => files.readModifiedAt(path)));
      const seen = JSON.stringify(paths.map((path, index) => [path, times[index]]));
      if (known !== undefined && known !== seen) changed();
      known = seen;
    } catch {
      // The next look tries again, and reading one of the files says what is wrong.
    } finally {
      isLooking = false;
    }
  };
  void look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}
