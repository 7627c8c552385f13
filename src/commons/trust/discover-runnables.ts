import type { Git } from "../../platform/git/git.ts";
import { gitConfiguration } from "./git/git-configuration.ts";
import { gitHooks, gitPrograms } from "./git/git-runnables.ts";
import { invariantCommands } from "./invariant-commands.ts";
import { packageScripts } from "./package-scripts.ts";
import { packageVariableRunnables } from "./package-variables.ts";
import type { TrustPlace } from "./place.ts";
import { type PinnedRunnable, pinRunnable, type RefusedRunnable, type Runnable } from "./runnable.ts";
import { testCommands } from "./test-commands.ts";
import { verifyScripts } from "./verify-scripts.ts";

/** One kind of thing in a project that may be run. */
type Source = (place: TrustPlace, git: Git, signal: AbortSignal) => Promise<Runnable[]> | Runnable[];

/** Every kind there is. What Forge runs of a project must be found by one of these, or a person could not allow it. */
const sources: readonly Source[] = [
  verifyScripts,
  packageScripts,
  ({ folders: [root] }) => packageVariableRunnables(root),
  testCommands,
  invariantCommands,
  gitHooks,
  gitPrograms,
  gitConfiguration,
];

export async function discoverRunnables(
  place: TrustPlace,
  git: Git,
  signal: AbortSignal,
): Promise<(PinnedRunnable | RefusedRunnable)[]> {
  const found = await Promise.all(sources.map((source) => source(place, git, signal)));
  // Two sources may come upon the same thing.
  const byId = new Map(found.flat().map((runnable) => [runnable.id, runnable]));
  return [...byId.values()].map((runnable) => pinRunnable(runnable, place.folders));
}
