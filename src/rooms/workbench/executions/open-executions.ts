import type { Leases } from "../../../commons/leases/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { TestService } from "../../../commons/test-runs/test-service.ts";
import type { Trust } from "../../../commons/trust/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Git } from "../../../platform/git/git.ts";
import type { Log } from "../../../platform/log.ts";
import type { Board } from "../board/service/board.ts";
import type { WorkGuard } from "../guard/work-guard.ts";
import { ExecutionStore } from "./execution-store.ts";
import { Executions } from "./executions.ts";
import { maxSetupMs } from "./setup/record-setup.ts";
import { openTrustedWork } from "./trusted-git.ts";

type ExecutionsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit" | "watch">;
  leases: Leases;
  board: Board;
  git: Git;
  trust: Pick<Trust, "require" | "findChanged">;
  tests: Pick<TestService, "run" | "find" | "findPassed">;
  guard: WorkGuard;
  projectRoot: string;
  mergeWaitMs?: number;
  log?: Log;
  now?: () => number;
};

/** Shorter than what clients wait for an answer. */
const defaultMergeWaitMs = 2 * 60_000;

/** Executions of one project. */
export function openExecutions({
  database,
  git,
  trust,
  now = Date.now,
  mergeWaitMs = defaultMergeWaitMs,
  ...given
}: ExecutionsOptions): Executions {
  const options = { ...given, projectRoot: findProjectFolder(git, given.projectRoot) };
  const executions = new Executions({
    ...options,
    mergeWaitMs,
    git,
    now,
    claims: options.board.claims,
    store: new ExecutionStore(database),
    workFor: (root) => git.work(root),
    trustedWork: (root, signal) => openTrustedWork({ git, trust }, root, signal),
    settings: {
      async runSetup(root, { signal, report }) {
        const { setUpWorktree } = await import("../../../commons/test-runs/project/setup-worktree.ts");
        return setUpWorktree(trust, root, { signal, report, deadlineMs: maxSetupMs });
      },
      async clonePackages(root, signal) {
        const { clonePackages } = await import("../../../commons/test-runs/project/clone-packages.ts");
        const main = git.work(options.projectRoot).location.mainWorkTree ?? options.projectRoot;
        const ignored = (await git.work(main).files.ignored(signal)).filter((name) => name.endsWith("/"));
        const isIgnored = async (path: string) => ignored.some((folder) => `${path}/`.startsWith(folder));
        return clonePackages(main, root, { signal, isIgnored });
      },
      async hasSetupCommand(root) {
        return (await readSettings(root)).setupCommand !== undefined;
      },
      async findUntrustedTests(root) {
        const { findUntrustedTests } = await import("../../../commons/test-runs/project/find-untrusted-tests.ts");
        return findUntrustedTests(trust, root);
      },
      async defaults(root) {
        const { finish, isolation } = await readSettings(root);
        return { ...(finish && { finish }), ...(isolation && { isolation }) };
      },
    },
  });
  options.board.settleBeforeReading(() => executions.settleAbandoned());
  return executions;
}

/** An execution ends by removing its work tree: for a user who is in there, the project's folder is the main work tree. */
function findProjectFolder(git: Git, root: string): string {
  try {
    const { location, workTrees } = git.work(root);
    return workTrees.isPlace(location.workTree) ? (location.mainWorkTree ?? root) : root;
  } catch (error) {
    // Without a repository nothing can be executed; that is said when someone tries.
    if (error instanceof ForgeError) return root;
    throw error;
  }
}

async function readSettings(root: string) {
  const { readWorkbenchFile } = await import("../../../commons/test-runs/project/workbench-file.ts");
  return readWorkbenchFile(root);
}
