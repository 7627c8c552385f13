import { defineToolset } from "../../kernel/toolset.ts";
import type { WorkbenchServices } from "./model/ports.ts";
import { resources } from "./resources/resources.ts";
import { tools } from "./tools/index.ts";

export const workbenchToolset = defineToolset<WorkbenchServices>({
  name: "workbench",
  title: "Workbench",
  guidance:
    "To work on a task call forge_execute_task: it gives you a branch. Then change files, have forge_run_tests run the tests, and end with forge_commit_changes, which merges and completes the task. Never say that tests pass without having run them.",
  tools,
  prompts: [],
  resources,
});
