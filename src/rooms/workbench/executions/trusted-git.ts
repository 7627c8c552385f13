import { gitConfiguration } from "../../../commons/trust/git-configuration.ts";
import { gitHooks, gitPrograms } from "../../../commons/trust/git-runnables.ts";
import type { Trust } from "../../../commons/trust/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Git, RepositoryWork } from "../../../platform/git/git.ts";
import { locateRepository } from "../../../platform/git/run/locate-repository.ts";

type TrustedWork = {
  work: RepositoryWork;
  /** Hooks of the repository that do not run because they are not trusted. */
  silencedHooks: string[];
};

/** Git for changes, with the repository's own hooks and filters if the user trusts all of them in their current form. */
export async function openTrustedWork(
  { git, trust }: { git: Git; trust: Pick<Trust, "require"> },
  root: string,
  signal: AbortSignal,
): Promise<TrustedWork> {
  const location = locateRepository(root);
  if (!location) return { work: git.work(root), silencedHooks: [] };
  const { workTree, commonDir, mainWorkTree = commonDir } = location;
  const place = { project: mainWorkTree, folders: [workTree, commonDir] } as const;
  const [hooks, programs, configuration] = await Promise.all([
    gitHooks(place, git, signal),
    gitPrograms(place, git, signal),
    gitConfiguration(place, git, signal),
  ]);
  try {
    await trust.require(root, [...hooks, ...programs, ...configuration]);
    return { work: git.work(root, { trusted: true }), silencedHooks: [] };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "TRUST_REQUIRED") throw error;
    return { work: git.work(root), silencedHooks: hooks.map(({ id }) => id.replace(/^hook:/, "")) };
  }
}
