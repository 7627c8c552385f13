import { describeSingleRun, wouldWatch } from "../project/watch-mode.ts";
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
  async words({ project, base, found, coverage }) {
    const { CI: given } = base;
    // Whatever else it is, it may have no option for it; programs that watch by default look at this variable.
    const isHeldBack = given === undefined && wouldWatch(project, found.program);
    return {
      words: [...found.program],
      ...(isHeldBack && { env: { CI: "1" } }),
      notes: [
        ...(isHeldBack ? [describeSingleRun("`CI=1` was set for this run")] : []),
        ...(coverage ? ["No coverage: the configured command does not report it."] : []),
      ],
    };
  },
  read: () => ({ line: () => undefined, progress: () => ({ done: 0, failed: 0 }), finish: async () => undefined }),
};
