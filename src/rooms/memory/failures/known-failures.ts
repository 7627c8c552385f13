import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { MemoryServices } from "../model/services.ts";
import { noteForeignFailures } from "../recall/note-foreign.ts";
import { signatureOfTests } from "./failures.ts";

/** For other rooms: what was filed about the tests and files of a failed run. */
export function makeKnownFailures(services: Pick<MemoryServices, "failures" | "foreignTexts" | "isTrusted">) {
  return async (call: Call, run: TestRun) => {
    const files = run.failures.flatMap(({ file }) => (file === undefined ? [] : [file]));
    const known = await services.failures.similar(signatureOfTests(run), files);
    await noteForeignFailures(services, call, known);
    return known.map(({ title, count, lesson, rule }) => ({
      ...{ title, count },
      ...(lesson !== undefined && { lesson }),
      ...(rule !== undefined && { rule }),
    }));
  };
}
