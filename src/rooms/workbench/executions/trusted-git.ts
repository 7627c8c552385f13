import { gitConfiguration } from "../../../commons/trust/git/git-configuration.ts";
import { gitPrograms, listHooks, locateHooks } from "../../../commons/trust/git/git-runnables.ts";
import { pinHooks } from "../../../commons/trust/git/pinned-hooks.ts";
import type { Trust } from "../../../commons/trust/index.ts";
import type { Runnable } from "../../../commons/trust/runnable.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Git, RepositoryWork } from "../../../platform/git/git.ts";
import { locateRepository } from "../../../platform/git/run/locate-repository.ts";

type TrustedWork = {
  work: RepositoryWork;
  /** Hooks of the repository that do not run because they are not trusted. */
  silencedHooks: string[];
  /** Hooks that were trusted, and are different now or gone. */
  changedHooks: string[];
};

/** Git for changes, with the repository's own hooks and filters if the user trusts all of them in their current form. */
export async function openTrustedWork(
  { git, trust }: { git: Git; trust: Pick<Trust, "require" | "findChanged"> },
  root: string,
  signal: AbortSignal,
): Promise<TrustedWork> {
  const location = locateRepository(root);
  if (!location) return { work: git.work(root), silencedHooks: [], changedHooks: [] };
  const { workTree, commonDir, mainWorkTree = commonDir } = location;
  const place = { project: mainWorkTree, folders: [workTree, commonDir] } as const;
  const [hooksFolder, programs, configuration] = await Promise.all([
    locateHooks(place, git, signal),
    gitPrograms(place, git, signal),
    gitConfiguration(place, git, signal),
  ]);
  const hooks = hooksFolder?.isOwn ? listHooks(hooksFolder.folder) : [];
  try {
    const pinned = await trust.require(root, [...hooks, ...programs, ...configuration]);
    const changedHooks = await findChangedHooks(trust, root, hooks);
    const work = git.work(root, { trusted: true, ...(hooksFolder && { hooks: pinHooks(hooksFolder, pinned) }) });
    return { work, silencedHooks: [], changedHooks };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "TRUST_REQUIRED") throw error;
    const changedHooks = await findChangedHooks(trust, root, hooks);
    return { work: git.work(root), silencedHooks: hooks.map(nameHook), changedHooks };
  }
}

async function findChangedHooks(trust: Pick<Trust, "findChanged">, root: string, hooks: readonly Runnable[]) {
  return (await trust.findChanged(root, hooks, "hook:")).map((id) => nameHook({ id }));
}

function nameHook({ id }: Pick<Runnable, "id">): string {
  return id.replace(/^hook:/, "");
}
