import { randomBytes } from "node:crypto";
import { basename, join } from "node:path";
import { findAlteredPackages } from "../../../commons/test-runs/origin/altered-packages.ts";
import { clonePackages } from "../../../commons/test-runs/project/clone-packages.ts";
import { setUpWorktree } from "../../../commons/test-runs/project/setup-worktree.ts";
import type { Trust } from "../../../commons/trust/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Git } from "../../../platform/git/git.ts";
import { isAlive } from "../../../platform/host/lifecycle.ts";

const maxSetupMs = 20 * 60_000;
const removalMs = 60_000;

export type ProofTree = {
  root: string;
  ms: number;
  /** Files that the commit's own attributes convert, by more than their line ends. */
  converted: string[];
  /** As it was at first, after a check has changed it. */
  renew(): Promise<void>;
  /** Files of the packages that it runs with and that were changed after they were installed; none that a set-up command installed. */
  findAltered(): Promise<string[]>;
};

type TreeOptions = {
  signal: AbortSignal;
  report(message: string): void;
  /**
   * Another tree, whose packages this one gets. Without the change the packages must be the same: a check that has none fails, and
   * that would show nothing about the change.
   */
  like?: string | undefined;
};

/** Clean work trees of commits, to run checks in; they are removed whatever happens. */
export class ProofTrees {
  readonly #git: Git;
  readonly #trust: Pick<Trust, "require">;
  readonly #projectRoot: string;

  constructor(git: Git, trust: Pick<Trust, "require">, projectRoot: string) {
    this.#git = git;
    this.#trust = trust;
    this.#projectRoot = projectRoot;
  }

  async use<T>(
    commit: string,
    { signal, report, like }: TreeOptions,
    work: (tree: ProofTree) => Promise<T>,
  ): Promise<T> {
    const { workTrees } = this.#git.work(this.#projectRoot);
    await this.#discardLeftovers(signal);
    // The process is part of the name, so that what a killed one leaves can be removed.
    const folder = join(workTrees.places.apart, `merge_proof${randomBytes(4).toString("hex")}_${process.pid}`);
    const began = performance.now();
    let isSetUp = false;
    let converted: string[] = [];
    const renew = async () => {
      await workTrees.addCandidate(folder, commit, signal);
      converted = await workTrees.verify(folder, commit, signal);
      isSetUp = await this.#prepare(folder, { signal, report, like });
    };
    const findAltered = async () => (isSetUp ? [] : findAlteredPackages(this.#main(), signal));
    try {
      await renew();
      return await work({ root: folder, ms: Math.round(performance.now() - began), converted, renew, findAltered });
    } finally {
      await workTrees.discardCandidate(folder, AbortSignal.timeout(removalMs));
    }
  }

  /** Of verifications that were killed. */
  async #discardLeftovers(signal: AbortSignal): Promise<void> {
    const { workTrees } = this.#git.work(this.#projectRoot);
    for (const { path } of await workTrees.list(signal)) {
      const pid = /^merge_proof\w+_(\d{1,10})$/.exec(basename(path))?.[1];
      if (pid !== undefined && workTrees.isPlace(path) && !isAlive(Number(pid)))
        await workTrees.discardCandidate(path, signal);
    }
  }

  /** The folder that packages are taken over from. */
  #main(): string {
    return this.#git.work(this.#projectRoot).location.mainWorkTree ?? this.#projectRoot;
  }

  /** Whether the project's own command has set the folder up. */
  async #prepare(folder: string, { signal, report, like }: TreeOptions): Promise<boolean> {
    const setup = await setUpWorktree(this.#trust, folder, { signal, report, deadlineMs: maxSetupMs });
    if (setup && !setup.passed) throw setupFailed(setup.command, setup.output);
    if (setup) return true;
    const main = this.#main();
    const ignored = (await this.#git.work(main).files.ignored(signal)).filter((name) => name.endsWith("/"));
    const isIgnored = async (path: string) => ignored.some((name) => `${path}/`.startsWith(name));
    await clonePackages(main, folder, { signal, isIgnored, locks: like });
    return false;
  }
}

function setupFailed(command: readonly string[], output: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `\`${command.join(" ")}\` failed in a clean work tree. Nothing is proven.`,
    {
      details: { output: output.slice(-2_000) },
      next: ["Correct the project's set-up command."],
    },
  );
}
