import * as z from "zod";
import type { CompletionRun } from "../../../../commons/completion/completion-run.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { categories, severities } from "../../bmad/museum.ts";
import { failureNotFound, nothingFailed, nothingToFile } from "../../failures/errors.ts";
import { filesIn, type NewFailure, signatureOfRun, signatureOfTests } from "../../failures/failures.ts";
import { agentName } from "../../model/memory.ts";
import { failureView } from "../../model/project-schemas.ts";
import type { MemoryServices } from "../../model/services.ts";
import { noteForeignFailures } from "../../recall/note-foreign.ts";

const text = z.string().trim().min(1).max(2_000);

type Found = Pick<NewFailure, "signature" | "files"> & { title: string; whatHappened?: string };

export const recordFailure = defineTool({
  name: "record_failure",
  title: "File a failure",
  description: "File a failed run, or another mistake, in the failure museum. Filing it again raises its count.",
  effect: "add",
  input: z.object({
    run: z.string().max(64).optional().describe("Id of a failed contract or test run"),
    title: z.string().trim().min(1).max(300).optional(),
    category: z.enum(categories).default("CC-FAIL"),
    severity: z.enum(severities).default("important"),
    agent: agentName.default("dev"),
    root_cause: text.optional(),
    lesson: text.optional(),
    rule: text.optional(),
  }),
  output: failureView,
  async run(services: MemoryServices, input, call) {
    const { run, title, category, severity, agent, root_cause: rootCause, lesson, rule } = input;
    if (run === undefined && title === undefined) throw nothingToFile();
    const found = run === undefined ? undefined : await findRun(services, run);
    const wanted = { title: title ?? "", signature: `${category} ${title?.toLowerCase()}`, files: [] };
    const { whatHappened, ...facts }: Found = found ?? wanted;
    for (const said of [title, rootCause, lesson, rule]) services.memories.refuseSecrets("failure", said ?? "");
    const failure = {
      ...facts,
      ...{ category, severity, agent, rootCause, lesson, rule, whatHappened },
      title: title ?? facts.title,
    };
    // Who may be following others does not reword what was filed before.
    const keepsKnown = await services.foreignTexts.mayBeForeign(call);
    const filed = await services.failures.file(await services.foreignTexts.authorOf(call), failure, { keepsKnown });
    call.record.about.push(`failure:${filed.fingerprint}`);
    await noteForeignFailures(services, call, [filed]);
    if (run !== undefined)
      call.record.evidence.push(run.startsWith("cc_") ? `completion-run:${run}` : `test-run:${run}`);
    return filed;
  },
});

async function findRun({ failures, testRun }: MemoryServices, id: string): Promise<Found> {
  if (id.startsWith("cc_")) return fromContract(await failures.completionRun(id), id);
  const run = await testRun(id);
  if (!run) throw failureNotFound(id);
  if (run.status === "passed") throw nothingFailed(id);
  const files = [...new Set(run.failures.flatMap(({ file }) => (file === undefined ? [] : [file])))];
  const [first] = run.failures;
  return {
    signature: signatureOfTests(run) || run.command.join(" "),
    files: files.slice(0, 20),
    title: first ? `Test failed: ${first.name}`.slice(0, 300) : "The tests could not run",
    ...(first && { whatHappened: first.message.slice(0, 2_000) }),
  };
}

function fromContract(run: CompletionRun, id: string): Found {
  if (run.status !== "FAIL") throw nothingFailed(id);
  const failed = run.checks.find(({ outcome }) => outcome === "failed");
  return {
    signature: signatureOfRun(run),
    files: filesIn(run.output),
    title: failed ? `Completion contract failed: ${failed.check}` : "Completion contract failed",
    whatHappened: run.output.slice(-2_000),
  };
}
