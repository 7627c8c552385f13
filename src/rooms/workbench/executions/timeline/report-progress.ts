import type { TestProgress } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import type { Execution } from "../../model/execution-model.ts";

/** Reports the progress of a call from 0 to 1, with the execution's stage and files for programs. */
export function reportStage(
  call: Pick<Call, "report">,
  { id }: Pick<Execution, "id">,
  progress: number,
  stage: string,
  message: string,
  files: readonly string[] = [],
): void {
  call.report({ progress, total: 1, message, meta: describeStage(id, stage, files) });
}

/** The same for each event of an execution that a call watches: how many there will be is unknown, and none is left out. */
export function reportEvent(
  call: Pick<Call, "report">,
  { id, stage }: Pick<Execution, "id" | "stage">,
  progress: number,
  message: string,
  files: readonly string[] = [],
): void {
  call.report({ progress, message, meta: describeStage(id, stage, files), isEvent: true });
}

function describeStage(id: string, stage: string, files: readonly string[]) {
  return { "forge/execution": { execution_id: id, stage, files_in_progress: files.slice(0, 50) } };
}

/** The same for a test run, in an execution or not. */
export function reportTests(
  call: Pick<Call, "report">,
  execution: Pick<Execution, "id"> | undefined,
): (progress: TestProgress) => void {
  // Progress must increase, also if a runner only reports that it is still running.
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
