import type { TestRequest, TestRun } from "./model.ts";

/**
 * Runs a project's tests. Throws TRUST_REQUIRED, NOT_FOUND (no runner), DEPENDENCY_ERROR (it is not installed, or was killed),
 * TIMEOUT, CANCELLED; a failing suite is a result.
 */
export interface Testing {
  run(request: TestRequest): Promise<TestRun>;
  /** The words of the command that `run` would use for everything; undefined where no runner is found. */
  detect(root: string): Promise<{ runner: string; command: string[] } | undefined>;
}

/** Test runs as evidence. */
export interface TestRuns {
  get(id: string): Promise<TestRun | undefined>;
  /** The latest on this very tree, or in this folder; newest first. */
  latest(options: { tree?: string; root?: string; limit?: number }): Promise<TestRun[]>;
}
