import type { Leases } from "../../commons/leases/index.ts";
import type { Ledger } from "../../commons/ledger/ledger.ts";
import type { Testing } from "../../commons/test-runs/ports.ts";
import type { Trust } from "../../commons/trust/index.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Git } from "../../platform/git/git.ts";
import type { Log } from "../../platform/log.ts";
import { LocalBoard } from "./board/board.ts";
import { openExecutions } from "./executions/open.ts";

type WorkbenchOptions = {
  database: Database<unknown>;
  ledger: Ledger;
  leases: Leases;
  git: Git;
  /** The work tree that Forge was started in. */
  projectRoot: string;
  log: Log;
};

/** What the workbench's tools and commands run on: always the project's own store, with a team's server or without. */
export function openWorkbench({ database, ledger, leases, git, projectRoot, log }: WorkbenchOptions) {
  const board = new LocalBoard({ database, ledger, leases, projectRoot });
  // Loaded when something of the project is to run: most calls and commands run nothing.
  const loadTrust = once(async () => new (await import("../../commons/trust/index.ts")).Trust());
  const trust: Pick<Trust, "require"> = {
    require: async (root, runnables) => (await loadTrust()).require(root, runnables),
  };
  const loadTesting = once(async () => {
    const { ProjectTesting, TestRunStore } = await import("../../commons/test-runs/index.ts");
    const treeHash = (root: string, signal: AbortSignal) => git.work(root).treeHash(signal);
    return new ProjectTesting({ trust, runs: new TestRunStore(database.forTables()), treeHash });
  });
  const testing: Testing = {
    run: async (request) => (await loadTesting()).run(request),
  };
  const executions = openExecutions({ database, ledger, leases, board, git, trust, testing, projectRoot, log });
  return {
    services: { board, executions, testing, projectRoot },
    async stop() {
      await executions.stop();
      await board.stop();
    },
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
