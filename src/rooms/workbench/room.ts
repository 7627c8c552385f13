import { defineRoom } from "../../commons/house.ts";
import type { WorkbenchServices } from "./model/services.ts";
import { tools } from "./tools/index.ts";

export const workbenchRoom = defineRoom<WorkbenchServices>({
  name: "workbench",
  title: "Workbench",
  guidance:
    "To work on a task, call forge_execute_task; it creates a branch. Change files, run the tests with forge_run_tests, and finish with forge_commit_changes, which merges and completes the task. Never say that tests pass without having run them.",
  fits: ({ inGit }) => ({ fits: inGit, why: inGit ? "this is a git repository" : "not a git repository" }),
  tools,
  resources: async () => (await import("./resources/resources.ts")).resources,
  commands: async () => (await import("./cli/index.ts")).commands,
  migrations: async () => (await import("./store/migrations.ts")).migrations,
  open: async () => (await import("./open.ts")).openWorkbench,
});
