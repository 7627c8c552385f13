import type { TestRequest, TestRun } from "./test-run.ts";

/**
 * Runs a project's tests. Throws TRUST_REQUIRED, NOT_FOUND (no runner), DEPENDENCY_ERROR (it is not installed, or was killed),
 * TIMEOUT, CANCELLED; a failing suite is a result.
 */
export interface Testing {
  run(request: TestRequest): Promise<TestRun>;
}
