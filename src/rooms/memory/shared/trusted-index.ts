import type { SharedIndex } from "./shared-index.ts";

type TrustedIndexOptions = { isTrusted(): Promise<boolean>; warn(message: string): void };

/**
 * The server has the memories of other projects too, and a project's own files say under which name its memories are there. Only
 * the files of a trusted project are believed: a clone could otherwise name another project, and read its memories.
 */
export function requireTrust(index: SharedIndex, { isTrusted, warn }: TrustedIndexOptions): SharedIndex {
  let isWarned = false;
  const isAllowed = async () => {
    if (await isTrusted()) return true;
    if (!isWarned) warn("Memories are shared through a server only once you have trusted this project.");
    isWarned = true;
    return false;
  };
  return {
    push: async (signal) => (await isAllowed()) && index.push(signal),
    search: async (query, signal) => ((await isAllowed()) ? index.search(query, signal) : undefined),
    stop: () => index.stop(),
  };
}
