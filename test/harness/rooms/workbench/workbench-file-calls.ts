import type { CallRecord, Progress } from "../../../../src/kernel/calls/call.ts";
import { type Answer, type Caller, invoke, type Outcome, type Runtime } from "../../../../src/kernel/calls/invoke.ts";
import type { Tool } from "../../../../src/kernel/definitions/tool.ts";
import { ForgeError } from "../../../../src/kernel/errors.ts";
import { localPrincipal } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { SafeRoot } from "../../../../src/platform/files/root/safe-root.ts";
import { Git } from "../../../../src/platform/git/git.ts";
import { noOpenExecution } from "../../../../src/rooms/workbench/executions/errors.ts";
import type { FileServices } from "../../../../src/rooms/workbench/files/write-file.ts";
import type { Execution, TimelineEvent, Workspace } from "../../../../src/rooms/workbench/model/execution-model.ts";
import { forgeEditFile } from "../../../../src/rooms/workbench/tools/files/forge-edit-file.ts";
import { forgeListFiles } from "../../../../src/rooms/workbench/tools/files/forge-list-files.ts";
import { forgeReadFile } from "../../../../src/rooms/workbench/tools/files/forge-read-file.ts";
import { forgeSearchFiles } from "../../../../src/rooms/workbench/tools/files/forge-search-files.ts";
import { forgeWriteFile } from "../../../../src/rooms/workbench/tools/files/forge-write-file.ts";

const fileTools: Tool<FileServices>[] = [
  forgeReadFile,
  forgeWriteFile,
  forgeEditFile,
  forgeListFiles,
  forgeSearchFiles,
];

/** The file tools in a folder, in an execution that only records its events. Does not depend on the test runner. */
export class FileCalls {
  readonly noted: TimelineEvent[] = [];
  readonly records: CallRecord[] = [];
  readonly reports: Progress[] = [];
  readonly #runtime: Runtime<FileServices>;

  constructor(root: string, environment: Record<string, string>, open = true) {
    const redactor = new Redactor();
    const services = { git: new Git({ environment }), redactor, executions: executionsAt(root, open, this.noted) };
    this.#runtime = {
      services,
      recorder: { open: async () => undefined, close: async (record) => void this.records.push({ ...record }) },
      redactor,
      newId: () => "call-1",
      now: () => Date.now(),
      log: () => undefined,
      noteUntrusted: async () => undefined,
    };
  }

  async outcome(
    name: string,
    input: Record<string, unknown>,
    signal = new AbortController().signal,
  ): Promise<Outcome<Answer>> {
    const tool = fileTools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`no such tool: ${name}`);
    const caller: Caller = {
      principal: localPrincipal("ada"),
      signal,
      report: (progress) => void this.reports.push(progress),
      log: () => undefined,
      canAsk: () => false,
      ask: async () => ({}),
    };
    return invoke(this.#runtime, "workbench", tool, input, caller);
  }

  /** Throws the tool's error. */
  async must(name: string, input: Record<string, unknown>): Promise<void> {
    const outcome = await this.outcome(name, input);
    if (outcome.kind !== "error") return;
    const { code, message, details } = outcome.body;
    throw new ForgeError(code, message, details && { details });
  }
}

/** A stand-in for executions: one that is open, or none. */
function executionsAt(root: string, open: boolean, noted: TimelineEvent[]): FileServices["executions"] {
  const execution: Execution = {
    id: "exec_1",
    blockId: "b",
    taskId: "t",
    taskName: "Task",
    status: "running",
    stage: "implementing",
    options: {
      create_branch: true,
      run_tests: false,
      notify_progress: true,
      resolve_dependencies: false,
      auto_commit: false,
      rollback_on_failure: false,
      finish: "merge",
      isolation: "none",
    },
    baseCommit: "0".repeat(40),
    root,
    startedBy: "local:ada",
    startedAt: 0,
    untrackedBefore: [],
    revision: 1,
  };
  const workspace: Workspace = { execution: open ? execution : undefined, path: root, files: SafeRoot.at(root) };
  const refuse = () => {
    throw noOpenExecution();
  };
  return {
    openWorkspace: async () => (open ? workspace : refuse()),
    openWorkspaceOrProject: async () => workspace,
    requireWritable: async () => execution,
    requireAllowed: async () => undefined,
    hasForeignChanges: async () => false,
    appendEvents: async (_call, _execution, ...events) => void noted.push(...events),
  };
}
