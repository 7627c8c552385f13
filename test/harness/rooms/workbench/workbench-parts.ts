import { join } from "node:path";
import { Guard, Seal } from "../../../../src/commons/guard/index.ts";
import { Leases } from "../../../../src/commons/leases/index.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { TestRunStore, TestService } from "../../../../src/commons/test-runs/index.ts";
import type { TestRequest, TestRun } from "../../../../src/commons/test-runs/test-run.ts";
import { TrustRecords } from "../../../../src/commons/trust/records.ts";
import { Trust } from "../../../../src/commons/trust/trust.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import type { Place } from "../../../../src/platform/db/types.ts";
import { Git } from "../../../../src/platform/git/git.ts";
import { Board } from "../../../../src/rooms/workbench/board/service/board.ts";
import { openExecutions } from "../../../../src/rooms/workbench/executions/open-executions.ts";
import { WorkGuard } from "../../../../src/rooms/workbench/guard/work-guard.ts";
import { migrations } from "../../db/all-migrations.ts";

type PartsOptions = {
  project: string;
  home: string;
  environment: Record<string, string>;
  place?: Place | undefined;
  now?: (() => number) | undefined;
  mergeWaitMs?: number | undefined;
  runTests?: ((request: TestRequest) => Promise<TestRun>) | undefined;
};

/** The real dependencies of executions, for tests and the processes they start. */
export function openParts({ project, home, environment, place, now, mergeWaitMs, runTests }: PartsOptions) {
  const database = openDatabase<unknown>(place ?? { file: join(project, ".forge", "forge.db") }, migrations);
  const redactor = new Redactor();
  const ledger = new Ledger({ database, redactor, log: () => undefined, timing: { poll: 20 } });
  const leases = new Leases(database);
  const board = new Board({ database, ledger, leases, ...(now && { now }) });
  const git = new Git({ environment, workTreesHome: join(home, ".forge", "worktrees") });
  const seal = new Seal(join(home, ".forge", "approvals.key"));
  const readers = new Guard({ database, redactor, seal });
  const guard = new WorkGuard({
    guard: readers,
    redactor,
    links: (root, signal) => git.work(root).files.links(signal),
    task: (block, task) => board.task(block, task),
    isActiveTicket: async () => false,
    isAdoptedTicket: async () => false,
  });
  const records = new TrustRecords(join(home, ".forge", "trust"));
  const trust = new Trust(records);
  const treeHash = (root: string, signal: AbortSignal) => git.work(root).treeHash(signal);
  const ignoredFiles = (root: string, signal: AbortSignal) => git.work(root).files.ignored(signal);
  const real = new TestService({ trust, runs: new TestRunStore(database.forTables()), treeHash, ignoredFiles });
  const tests = {
    run: runTests ?? ((request: TestRequest) => real.run(request)),
    findPassed: (tree: string, root: string) => real.findPassed(tree, root),
    find: (id: string) => real.find(id),
  };
  const options = { database, ledger, leases, board, git, trust, tests, guard, projectRoot: project };
  const executions = openExecutions({
    ...options,
    ...(now && { now }),
    ...(mergeWaitMs !== undefined && { mergeWaitMs }),
  });
  return {
    ...options,
    readers,
    executions,
    records,
    redactor,
    async close() {
      await executions.stop();
      await board.stop();
      await ledger.stop();
      await database.close();
    },
  };
}
