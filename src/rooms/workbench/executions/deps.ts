import type { Claims } from "../../../commons/claims/index.ts";
import type { Leases } from "../../../commons/leases/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { SetupOutcome } from "../../../commons/test-runs/project/setup-worktree.ts";
import type { TestService } from "../../../commons/test-runs/test-service.ts";
import type { Git, RepositoryWork } from "../../../platform/git/git.ts";
import type { Log } from "../../../platform/log.ts";
import { taskKey } from "../board/model/ids.ts";
import type { Board } from "../board/service/board.ts";
import type { Execution, ExecutionOptions } from "../model/execution-model.ts";
import type { Task } from "../model/task-model.ts";
import type { ExecutionStore } from "./execution-store.ts";

/** The board in the execution's own transactions. */
type ExecutionBoard = Pick<Board, "task" | "dependencies" | "requireStartable" | "beginTask" | "settleTask">;

/** What the project says of how it is worked on. */
type ProjectSettings = {
  /** Makes a new work tree ready; undefined where nothing is set. Trust is asked for inside. */
  runSetup(
    root: string,
    options: { signal: AbortSignal; report(message: string): void },
  ): Promise<SetupOutcome | undefined>;
  /** Whether there is such a command. */
  hasSetupCommand(root: string): Promise<boolean>;
  /** Why its tests may not run, where a person has to allow it first. */
  testsNotTrusted(root: string): Promise<string | undefined>;
  /** What the project has set for executions. */
  defaults(root: string): Promise<Partial<Pick<ExecutionOptions, "finish" | "isolation">>>;
};

/** What the parts of executions work with. */
export type ExecutionDeps = {
  store: ExecutionStore;
  ledger: Pick<Ledger, "commit" | "watch">;
  leases: Leases;
  claims: Claims;
  board: ExecutionBoard;
  git: Git;
  /** Git for changing things in a folder, with nothing run that the repository brings. */
  workFor(root: string): RepositoryWork;
  /** The same, as far as a person has trusted what the repository would run. */
  trustedWork(root: string, signal: AbortSignal): Promise<{ work: RepositoryWork; silencedHooks: string[] }>;
  settings: ProjectSettings;
  tests: Pick<TestService, "run">;
  projectRoot: string;
  /** For what goes wrong outside any call. */
  log?: Log | undefined;
  now(): number;
};

/** What the lease on a task is called by. */
export function claimKey({ blockId, taskId }: { blockId: string; taskId: string }): string {
  return taskKey(blockId, taskId);
}

export function toTaskKey({ blockId, taskId }: { blockId: string; taskId: string }): Pick<Task, "blockId" | "id"> {
  return { blockId, id: taskId };
}

/** In the project's own folder, where a person works too. */
export function isInPlace({ options }: Pick<Execution, "options">): boolean {
  return options.isolation === "none";
}
