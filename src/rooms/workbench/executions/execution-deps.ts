import type { Claims } from "../../../commons/claims/index.ts";
import type { Leases } from "../../../commons/leases/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { SetupOutcome } from "../../../commons/test-runs/project/setup-worktree.ts";
import type { TestService } from "../../../commons/test-runs/test-service.ts";
import type { ForgeError } from "../../../kernel/errors.ts";
import type { Git, RepositoryWork } from "../../../platform/git/git.ts";
import type { Log } from "../../../platform/log.ts";
import { taskKey } from "../board/model/ids.ts";
import type { Board } from "../board/service/board.ts";
import type { WorkGuard } from "../guard/work-guard.ts";
import type { Execution, ExecutionOptions } from "../model/execution-model.ts";
import type { Task } from "../model/task-model.ts";
import type { ExecutionStore } from "./execution-store.ts";

/** The board in the execution's own transactions. */
type ExecutionBoard = Pick<Board, "task" | "dependencies" | "requireStartable" | "beginTask" | "settleTask">;

/** What the project has set for executions. */
type ProjectSettings = {
  /** Runs the set-up command in a new work tree; undefined if there is none. Throws TRUST_REQUIRED. */
  runSetup(
    root: string,
    options: { signal: AbortSignal; report(message: string): void },
  ): Promise<SetupOutcome | undefined>;
  /** Gives a new work tree the installed packages of the project's folder; the folders it got. */
  clonePackages(root: string, signal: AbortSignal): Promise<string[]>;
  hasSetupCommand(root: string): Promise<boolean>;
  /** Why the tests may not run until the user trusts them; undefined if they may. */
  findUntrustedTests(root: string): Promise<ForgeError | undefined>;
  defaults(root: string): Promise<Partial<Pick<ExecutionOptions, "finish" | "isolation">>>;
};

/** What all parts of executions work with. */
export type ExecutionDeps = {
  store: ExecutionStore;
  ledger: Pick<Ledger, "commit" | "watch">;
  leases: Leases;
  claims: Claims;
  board: ExecutionBoard;
  git: Git;
  /** Git for changes in a folder; nothing that the repository contains is run. */
  workFor(root: string): RepositoryWork;
  /** The same, with the repository's hooks and filters if the user trusts them. */
  trustedWork(
    root: string,
    signal: AbortSignal,
  ): Promise<{ work: RepositoryWork; silencedHooks: string[]; changedHooks: string[] }>;
  settings: ProjectSettings;
  tests: Pick<TestService, "run" | "find" | "findPassed">;
  /** How long a call waits for other merges, before its own is put into the queue. */
  mergeWaitMs: number;
  guard: Pick<
    WorkGuard,
    | "findSecrets"
    | "withoutSecrets"
    | "hasForeignText"
    | "requireStart"
    | "requireTakeOver"
    | "requireWrite"
    | "requireCommit"
    | "adopt"
    | "noteWork"
    | "noteWorkRead"
  >;
  projectRoot: string;
  /** For problems outside any call. */
  log?: Log | undefined;
  now(): number;
};

/** The name of the claim on a task. */
export function claimKey({ blockId, taskId }: { blockId: string; taskId: string }): string {
  return taskKey(blockId, taskId);
}

export function toTaskKey({ blockId, taskId }: { blockId: string; taskId: string }): Pick<Task, "blockId" | "id"> {
  return { blockId, id: taskId };
}

/** In the project's own folder, where the user works too. */
export function isInPlace({ options }: Pick<Execution, "options">): boolean {
  return options.isolation === "none";
}
