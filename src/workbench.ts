import type { Leases } from "./commons/leases/index.ts";
import type { Ledger } from "./commons/ledger/ledger.ts";
import { ProjectTesting, TestRunStore } from "./commons/testing/index.ts";
import { Trust } from "./commons/trust/index.ts";
import type { Database } from "./platform/db/database.ts";
import type { Git } from "./platform/git/git.ts";
import { LocalBoard } from "./rooms/workbench/board/board.ts";
import { openExecutions } from "./rooms/workbench/executions/open.ts";

type WorkbenchOptions = {
  database: Database<unknown>;
  ledger: Ledger;
  leases: Leases;
  git: Git;
  /** The work tree that Forge was started in. */
  projectRoot: string;
};

/** What the workbench's tools and commands run on: always the project's own store, with a team's server or without. */
export function openWorkbench({ database, ledger, leases, git, projectRoot }: WorkbenchOptions) {
  const board = new LocalBoard({ database, ledger, leases, projectRoot });
  const trust = new Trust();
  const testing = new ProjectTesting({
    trust,
    runs: new TestRunStore(database.forTables()),
    treeHash: (root, signal) => git.work(root).treeHash(signal),
  });
  const executions = openExecutions({ database, ledger, leases, board, git, trust, testing, projectRoot });
  return {
    services: { board, executions, testing, projectRoot },
    async stop() {
      await executions.stop();
      await board.stop();
    },
  };
}
