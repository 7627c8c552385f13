import { onTestFinished } from "vitest";
import { makeSandbox } from "../../git/git.ts";
import { FileCalls } from "./workbench-file-calls.ts";

type Options = {
  /** Where the files are (default: the repository). */
  at?(repository: string): string;
  /** Whether an execution is open. */
  open?: boolean;
};

/** The file tools on their own repository. */
export function openFiles(committed: Record<string, string> = {}, { at = (path) => path, open = true }: Options = {}) {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const repository = sandbox.repository("project", committed);
  const root = at(repository);
  const calls = new FileCalls(root, sandbox.environment, open);
  return {
    sandbox,
    repository,
    root,
    noted: calls.noted,
    records: calls.records,
    reports: calls.reports,
    /** The result of a tool, or the body of its error. */
    async call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>> {
      const outcome = await calls.outcome(name, input, signal);
      if (outcome.kind === "asked") throw new Error("a file tool asks nothing");
      return outcome.kind === "value" ? (outcome.value.structured as Record<string, unknown>) : { ...outcome.body };
    },
  };
}
