import { ForgeError } from "../../src/kernel/errors.ts";
import type {
  ShownBlock,
  ShownEvent,
  ShownExecution,
  ShownRecord,
  ShownTask,
  ShownTaskPage,
  ShownTests,
  WorkbenchDesk,
} from "../../src/rooms/workbench/cli/desk.ts";
import type { ImportOutcome } from "../../src/rooms/workbench/model/task-model.ts";

const taskOfAuth: ShownTask = {
  id: "Ab12Cd",
  name: "Add sign-in",
  block_id: "auth",
  status: "pending",
  dependencies: [],
  ready: true,
  revision: 1,
};

const blockOfAuth: ShownBlock = {
  id: "auth",
  name: "Auth",
  description: "Who somebody is",
  status: "active",
  task_counts: { pending: 1, in_progress: 0, completed: 2, failed: 0 },
  inputs: [],
  outputs: [],
  revision: 1,
};

const openExecution: ShownExecution = {
  execution_id: "exec_5d0c00000001",
  block_id: "auth",
  task_id: "Ab12Cd",
  task_name: "Add sign-in",
  status: "running",
  stage: "implementing",
  options: {},
  branch: "task-Ab12Cd-add-sign-in",
  base_branch: "main",
  base_commit: "a".repeat(40),
  root: "/home/ada/shop",
  holder: "ada/claude-code#1f9c2a70b3de",
  started_at: "2026-11-01T12:00:00.000Z",
};

export function shownEvent(overrides: Partial<ShownEvent> = {}): ShownEvent {
  return {
    seq: 1,
    at: "2026-11-01T12:00:00.000Z",
    kind: "file",
    message: "created src/auth.ts",
    details: { path: "src/auth.ts", action: "created" },
    ...overrides,
  };
}

/** A workbench that says what it is told to say, and remembers what it was asked. Its rules are tested on a real one. */
export class MemoryWorkbench implements WorkbenchDesk {
  deeds: unknown[][] = [];
  shownBlocks: ShownBlock[] = [blockOfAuth];
  shownTasks: ShownTask[] = [taskOfAuth];
  running: ShownExecution[] = [openExecution];
  timeline: ShownEvent[] = [shownEvent()];
  files: ShownRecord["files"] = [
    { path: "src/auth.ts", action: "created", lines_added: 3, lines_removed: 0, via: "forge" },
  ];
  patch = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n";
  nextCursor: string | undefined;
  warnings: string[] = [];
  outcome: ImportOutcome = {
    blocks: { added: 1, updated: 0, unchanged: 2 },
    tasks: { added: 3, updated: 1, unchanged: 0 },
    kept: [],
    warnings: [],
  };
  tests: ShownTests = {
    test_results: { status: "passed", total_tests: 8, passed: 8, failed: 0, skipped: 0, duration: "2.3s" },
    failures: [],
    run_id: "test_1",
    runner: "vitest",
    command: ["vitest", "run"],
  };
  /** How a watched execution ends. */
  ending: ShownExecution["status"] = "completed";

  blocks: WorkbenchDesk["blocks"] = async (asked) => {
    this.deeds.push(["blocks", asked]);
    return { blocks: this.shownBlocks, total: this.shownBlocks.length, ...this.#page() };
  };

  block: WorkbenchDesk["block"] = async (ref) => {
    this.deeds.push(["block", ref]);
    const [block = blockOfAuth] = this.shownBlocks;
    return { ...block, tasks: this.shownTasks };
  };

  createBlock: WorkbenchDesk["createBlock"] = async (asked) => {
    this.deeds.push(["createBlock", asked]);
    return { block_id: "auth", name: asked.name, revision: 1 };
  };

  editBlock: WorkbenchDesk["editBlock"] = async (ref, changes) => {
    this.deeds.push(["editBlock", ref, changes]);
    return { block_id: "auth", name: changes.name ?? "Auth", revision: 2 };
  };

  importBlocks: WorkbenchDesk["importBlocks"] = async (request) => {
    this.deeds.push(["importBlocks", request]);
    return this.outcome;
  };

  exportBlocks: WorkbenchDesk["exportBlocks"] = async () => "{}\n";

  exportOwnFile: WorkbenchDesk["exportOwnFile"] = async (overwrite) => {
    this.deeds.push(["exportOwnFile", overwrite]);
    return { path: "blocks_config.json", blocks: 1, tasks: 3 };
  };

  tasks: WorkbenchDesk["tasks"] = async (asked) => {
    this.deeds.push(["tasks", asked]);
    return this.#taskPage(this.shownTasks);
  };

  queue: WorkbenchDesk["queue"] = async (block, limit) => {
    this.deeds.push(["queue", block, limit]);
    return {
      ready: this.#taskPage(this.shownTasks.filter(({ ready }) => ready)),
      waiting: this.#taskPage(this.shownTasks.filter(({ ready }) => !ready)),
    };
  };

  task: WorkbenchDesk["task"] = async (asked) => {
    this.deeds.push(["task", asked]);
    const [task = taskOfAuth] = this.shownTasks;
    return {
      task: {
        ...task,
        block_name: "Auth",
        description: "JWT",
        acceptance_criteria: ["A token comes back"],
        estimated_effort: "",
        files_affected: ["src/auth.ts"],
        function_signatures: [],
        testing_requirements: [],
        related_blocks: [],
        log: "",
        commit_id: "",
        updated_at: "2026-11-01T12:00:00.000Z",
      },
    };
  };

  createTask: WorkbenchDesk["createTask"] = async (asked) => {
    this.deeds.push(["createTask", asked]);
    return { task: { ...taskOfAuth, name: asked.task_name }, ...this.#warned() };
  };

  updateTask: WorkbenchDesk["updateTask"] = async (asked) => {
    this.deeds.push(["updateTask", asked]);
    return { task: taskOfAuth, ...this.#warned() };
  };

  claimTask: WorkbenchDesk["claimTask"] = async (asked) => {
    this.deeds.push(["claimTask", asked]);
    const until = "2026-11-01T12:30:00.000Z";
    return { block_id: "auth", task_id: "Ab12Cd", claimed: true, status: "pending", holder: "ada/forge", until };
  };

  releaseTask: WorkbenchDesk["releaseTask"] = async (asked) => {
    this.deeds.push(["releaseTask", asked]);
    return { block_id: "auth", task_id: "Ab12Cd", claimed: false, status: "pending" };
  };

  executions: WorkbenchDesk["executions"] = async (asked) => {
    this.deeds.push(["executions", asked]);
    return { executions: this.running, total: this.running.length, ...this.#page() };
  };

  executionId: WorkbenchDesk["executionId"] = async (typed) => {
    const found = this.running.find(({ execution_id: id }) => id.startsWith(`exec_${typed ?? ""}`));
    if (typed !== undefined && !found)
      throw new ForgeError("NOT_FOUND", `There is no execution "${typed.slice(0, 9)}".`);
    return found?.execution_id;
  };

  execution: WorkbenchDesk["execution"] = async () => {
    return { ...this.#open(), timeline: this.timeline, files: this.files, tests: [], issues: [] };
  };

  start: WorkbenchDesk["start"] = async (asked, report) => {
    this.deeds.push(["start", asked]);
    report?.({ progress: 0, message: "Branch" });
    const { execution_id, root, branch } = openExecution;
    const message = "Task execution started.";
    return {
      status: "started",
      branch_created: branch,
      execution_id,
      message,
      root,
      resumed: false,
      ...this.#warned(),
    };
  };

  watch: WorkbenchDesk["watch"] = async (_id, onEvent) => {
    for (const event of this.timeline) onEvent(event, this.#open());
    return { ...this.#open(), status: this.ending };
  };

  diff: WorkbenchDesk["diff"] = async () => ({ bytes: Buffer.from(this.patch), truncated: false, aside: [] });

  runTests: WorkbenchDesk["runTests"] = async (asked, report) => {
    this.deeds.push(["runTests", asked]);
    report?.({ progress: 4, total: 8, message: "src/auth.test.ts" });
    return this.tests;
  };

  commit: WorkbenchDesk["commit"] = async (asked) => {
    this.deeds.push(["commit", asked]);
    return {
      commit_hash: "c".repeat(40),
      branch_merged: true,
      branch_deleted: true,
      task_status: "completed",
      files_modified: ["src/auth.ts"],
      summary: "Merged into main.",
      actions_performed: [],
      success: this.ending === "completed",
      execution_id: openExecution.execution_id,
      ...this.#warned(),
    };
  };

  cancel: WorkbenchDesk["cancel"] = async (asked) => {
    this.deeds.push(["cancel", asked]);
    return { ...this.#open(), status: "cancelled", kept: [], removed: ["branch task-Ab12Cd-add-sign-in"] };
  };

  suggest: WorkbenchDesk["suggest"] = {
    blocks: async () => this.shownBlocks.map(({ id, name }) => ({ id, name })),
    tasks: async () =>
      this.shownTasks.map(({ id, name, status, block_id: blockId }) => ({ id, name, status, blockId })),
    executions: async () =>
      this.running.map(({ execution_id: id, block_id, task_id, status }) => ({
        id,
        status,
        task: `${block_id}/${task_id}`,
      })),
  };

  #open(): ShownExecution {
    const [first = openExecution] = this.running;
    return first;
  }

  #taskPage(tasks: ShownTask[]): ShownTaskPage {
    return { tasks, total: tasks.length, ...this.#page() };
  }

  #page() {
    return { ...(this.nextCursor !== undefined && { next_cursor: this.nextCursor }), ...this.#warned() };
  }

  #warned() {
    return this.warnings.length > 0 ? { warnings: this.warnings } : {};
  }
}
