import * as z from "zod";
import { completionRun, stacks } from "../../../../commons/completion/completion-run.ts";
import { noteInstalled } from "../../../../commons/guard/installed-files.ts";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../../kernel/text/escape-text.ts";
import { filesIn, signatureOfRun } from "../../failures/failures.ts";
import { failureView, list } from "../../model/project-schemas.ts";
import type { MemoryServices } from "../../model/services.ts";
import { noteForeignFailures } from "../../recall/note-foreign.ts";

const deadlineMs = 600_000;

export const runCompletionContract = defineTool({
  name: "run_completion_contract",
  title: "Run the completion contract",
  description:
    "Check that work is complete: runs the project's cc-verify.sh, or build, lint and tests of its stacks. Run it before saying done.",
  effect: "act",
  deadlineMs: deadlineMs + 30_000,
  input: z.object({
    stack: z.enum(["auto", ...stacks]).default("auto"),
    working_dir: z.string().max(1_024).optional(),
  }),
  output: completionRun.extend({
    known_failures: list(failureView).optional().describe("Filed before, with the same error or files"),
    next: actionsSchema,
  }),
  async run(services: MemoryServices, { stack, working_dir: workingDir }, call) {
    const { completion, failures } = services;
    const run = await completion.run({
      ...{ stack, workingDir, deadlineMs },
      signal: call.signal,
      report: ({ done, message }) => call.report({ progress: done, message }),
    });
    call.record.evidence.push(`completion-run:${run.id}`);
    await failures.saveRun(call, run);
    // Programs that look at all files tell of those that the registry installed, too.
    await noteInstalled(call, [run.output]);
    if (run.status !== "FAIL") return run;
    const known = await failures.similar(signatureOfRun(run), filesIn(run.output));
    await noteForeignFailures(services, call, known);
    return {
      ...run,
      ...(known.length > 0 && { known_failures: known }),
      next: [{ tool: "record_failure", input: { run: run.id }, why: "to file it, once you know why it failed" }],
    };
  },
  present: (output) => escapeContent(output).value,
});
