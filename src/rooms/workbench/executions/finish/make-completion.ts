import type { ExecutionDeps } from "../execution-deps.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import type { ExecutionRecovery } from "../recovery/execution-recovery.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { BranchMerger } from "./branch-merger.ts";
import { BranchTests } from "./branch-tests.ts";
import { CandidateTests } from "./candidate-tests.ts";
import type { ExecutionCleanup } from "./execution-cleanup.ts";
import { MergeQueue } from "./merge-queue.ts";
import { TaskCompletion } from "./task-completion.ts";

type Shared = { timeline: Timeline; cleanup: ExecutionCleanup; recovery: ExecutionRecovery; locks: KeyedLock };

/** What completes tasks, and the queue of commits that wait to be merged: each hands work to the other. */
export function makeCompletion(
  deps: ExecutionDeps,
  { timeline, cleanup, recovery, locks }: Shared,
): { completion: TaskCompletion; queue: MergeQueue } {
  const merger = new BranchMerger(deps, timeline, cleanup);
  const complete: TaskCompletion["completeQueued"] = (...given) => completion.completeQueued(...given);
  const queue = new MergeQueue(deps, { timeline, merger, recovery, locks, complete });
  const completion = new TaskCompletion(deps, {
    merger,
    candidates: new CandidateTests(deps, timeline),
    tests: new BranchTests(deps, timeline),
    queue,
    cleanup,
    recovery,
  });
  return { completion, queue };
}
