import { readWorkbenchFile } from "../project/workbench-file.ts";
import type { Runner } from "../runner.ts";

/** A command of the project's choice. Its exit code is all that is known of it. */
export const configured: Runner = {
  name: "configured",
  isTest: () => false,
  onlyAll: true,
  async find(project) {
    const { testCommand } = readWorkbenchFile(project.root);
    if (!testCommand) return undefined;
    return { words: testCommand, program: testCommand, extra: [], env: {}, files: [], notes: [] };
  },
  async words({ found, coverage }) {
    return {
      words: [...found.program],
      notes: coverage ? ["No coverage: the configured command does not report it."] : [],
    };
  },
  read: () => ({ line: () => undefined, progress: () => ({ done: 0, failed: 0 }), finish: async () => undefined }),
};
