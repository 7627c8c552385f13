import type { House } from "../../commons/house.ts";
import type { Trust } from "../../commons/trust/index.ts";
import { type OpenRoom, once } from "../../kernel/definitions/room.ts";
import { locateRepository } from "../../platform/git/run/locate-repository.ts";
import { Board } from "./board/service/board.ts";
import { ExecutionStore } from "./executions/execution-store.ts";
import { openExecutions } from "./executions/open-executions.ts";
import { TicketWork } from "./executions/tickets/ticket-work.ts";
import { hasWritten as hasWrittenIn } from "./executions/timeline/has-written.ts";
import { WorkGuard } from "./guard/work-guard.ts";
import type { KnownFailures } from "./model/known-failures.ts";
import type { WorkbenchServices } from "./model/services.ts";
import type { TicketItems } from "./model/ticket-items.ts";

/** Blocks, tasks and executions: always of the project's own store, with a team's server or without. */
export async function openWorkbench(house: House): Promise<OpenRoom<WorkbenchServices>> {
  const { git, log, redactor } = house;
  const projectRoot = house.project.root;
  const { database, ledger, leases, guard } = await house.store();
  const board = new Board({ database, ledger, leases, projectRoot });
  const loadTickets = () => house.port<TicketItems>("workbench.tickets");
  const workGuard = new WorkGuard({
    guard,
    redactor,
    links: async (root, signal) => (locateRepository(root) ? git.work(root).files.links(signal) : []),
    task: (block, task) => board.task(block, task),
    isActiveTicket: async (principal, id) => (await loadTickets())?.isActive(principal, id) ?? false,
    isAdoptedTicket: async (id) => (await loadTickets())?.isAdopted(id) ?? false,
  });
  // Loaded when something of the project is to run: most calls and commands run nothing.
  const loadTrust = once(async () => new (await import("../../commons/trust/index.ts")).Trust());
  const trust: Pick<Trust, "require" | "findChanged"> = {
    require: async (root, runnables) => (await loadTrust()).require(root, runnables),
    findChanged: async (root, runnables, kind) => (await loadTrust()).findChanged(root, runnables, kind),
  };
  const store = new ExecutionStore(database);
  const hasWritten = (root: string, since: number) => hasWrittenIn(store, root, since);
  const loadTests = once(async () => {
    const { TestRunStore, TestService } = await import("../../commons/test-runs/index.ts");
    const treeHash = (root: string, signal: AbortSignal) => git.work(root).treeHash(signal);
    const ignoredFiles = async (root: string, signal: AbortSignal) =>
      locateRepository(root) ? git.work(root).files.ignored(signal) : [];
    return new TestService({ trust, runs: new TestRunStore(database.forTables()), treeHash, ignoredFiles, hasWritten });
  });
  const tests: WorkbenchServices["tests"] = {
    run: async (request) => (await loadTests()).run(request),
    findPassed: async (tree, root) => (await loadTests()).findPassed(tree, root),
    find: async (id) => (await loadTests()).find(id),
  };
  const executions = openExecutions({
    database,
    ledger,
    leases,
    board,
    git,
    trust,
    tests,
    guard: workGuard,
    projectRoot,
    log,
  });
  const ticketWork = new TicketWork(board, workGuard, loadTickets);
  const knownFailures: KnownFailures = async (call, run) =>
    (await (await house.port<KnownFailures>("workbench.failures"))?.(call, run)) ?? [];
  return {
    services: {
      git,
      board,
      executions,
      ticketWork,
      guard: workGuard,
      tests,
      hasWritten,
      knownFailures,
      redactor,
      projectRoot,
    },
    async stop() {
      await executions.stop();
      await board.stop();
    },
  };
}
