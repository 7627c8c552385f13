import { withTemporaryFolder } from "../../platform/state/temporary-folder.ts";
import type { Trust } from "../trust/index.ts";
import type { Runnable } from "../trust/runnable.ts";
import { pinCommand } from "./project/pinned-command.ts";
import type { PinnedCommand } from "./project/pinned-script.ts";

type TrustedCommand = {
  root: string;
  words: readonly string[];
  /** What the user must have trusted for it to run. */
  runnables: readonly Runnable[];
  /** The PATH of the run. */
  searchPath: string | undefined;
};

/** Throws TRUST_REQUIRED, or lends the command with the content that was checked: run that, not what is in the project by then. */
export async function withTrustedCommand<T>(
  trust: Pick<Trust, "require">,
  { root, words, runnables, searchPath }: TrustedCommand,
  work: (command: PinnedCommand) => Promise<T>,
): Promise<T> {
  const pinned = await trust.require(root, runnables);
  return withTemporaryFolder("command", (folder) => work(pinCommand(words, pinned, { root, folder, searchPath })));
}
