import type { TestProgress } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/call.ts";
import type { Execution } from "../../model/execution-model.ts";

/** Tells the caller's own token how far the call is; what programs want to know goes along. */
export function reportStage(
  call: Pick<Call, "report">,
  { id }: Pick<Execution, "id">,
  progress: number,
  stage: string,
  message: string,
  files: readonly string[] = [],
): void {
  call.report({
    progress,
    message,
    meta: { "forge/execution": { execution_id: id, stage, files_in_progress: files.slice(0, 50) } },
  });
}

/** The same for a run of the tests, in an execution or not. */
export function reportTests(
  call: Pick<Call, "report">,
  execution: Pick<Execution, "id"> | undefined,
): (progress: TestProgress) => void {
  // What comes after must be more, also where a runner says nothing but that it still runs.
  let last = -1;
  return ({ done, total, message }) => {
    last = Math.max(done, last + 0.001);
    const meta = execution && {
      "forge/execution": { execution_id: execution.id, stage: "testing", files_in_progress: [] },
    };
    call.report({
      progress: last,
      message,
      ...(total !== undefined && total >= last && { total }),
      ...(meta && { meta }),
    });
  };
}
