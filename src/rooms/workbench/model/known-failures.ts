import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../kernel/calls/call.ts";

/** A failure that was filed before, with the same tests or in the same files, and what was learned from it. */
type KnownFailure = { title: string; count: number; lesson?: string; rule?: string };

/** What the failure museum knows about a failed test run. */
export type KnownFailures = (call: Call, run: TestRun) => Promise<KnownFailure[]>;
