import { makeCommandVariables, readCommandOrigin } from "../origin/command-origin.ts";
import { listConfiguredRunnables } from "../project/configured-commands.ts";
import type { TestProject } from "../project/test-project.ts";
import { describeSingleRun, wouldWatch } from "../project/watch-mode.ts";
import { readWorkbenchFile } from "../project/workbench-file.ts";
import type { Runner, RunOrder } from "../runner.ts";
import { cargo } from "./cargo.ts";
import { go } from "./go.ts";
import { maven } from "./maven.ts";

/** A command of the project's choice. Its exit code is its verdict; of the runners that it starts, some can be recognised. */
export const configured: Runner = {
  name: "configured",
  isTest: () => false,
  onlyAll: true,
  async find(project) {
    const { testCommand } = readWorkbenchFile(project.root);
    if (!testCommand) return undefined;
    return { words: testCommand, program: testCommand, extra: [], env: {}, files: [], notes: [] };
  },
  async words(order) {
    const { project, base, found, coverage } = order;
    const { CI: given } = base;
    // Whatever else it is, it may have no option for it; programs that watch by default look at this variable.
    const isHeldBack = given === undefined && wouldWatch(project, found.program);
    return {
      words: [...found.program],
      env: { ...(await makeCommandVariables(order)), ...(isHeldBack && { CI: "1" }) },
      notes: [
        ...(isHeldBack ? [describeSingleRun("`CI=1` was set for this run")] : []),
        ...(coverage ? ["No coverage: the configured command does not report it."] : []),
      ],
    };
  },
  read(order) {
    const text = readCommandText(order.project);
    // Cargo decides by itself where it builds.
    const asGiven: RunOrder = { ...order, base: {}, trees: { ...order.trees, main: undefined } };
    const isNamed = ({ name }: Runner) => commands.some(([pattern, runner]) => runner === name && pattern.test(text));
    const readers = [go, cargo, maven].filter(isNamed).map((runner) => runner.read(asGiven));
    return {
      line: () => undefined,
      progress: () => ({ done: 0, failed: 0 }),
      async finish(ended) {
        // Maven's reports name the class path.
        for (const reader of readers) await reader.finish(ended);
        return undefined;
      },
      origin: (ask) =>
        readCommandOrigin(
          order,
          text,
          readers.flatMap(({ origin }) => (origin ? [origin(ask)] : [])),
        ),
    };
  },
};

const commands: [pattern: RegExp, runner: Runner["name"]][] = [
  [/\bgo test\b/, "go"],
  [/\bcargo (?:test|t|nextest)\b/, "cargo"],
  [/(?:^|[\s/])mvnw?\s/m, "maven"],
];

/** The command, and of what it runs what can be read: a script of package.json, a makefile, a script. */
function readCommandText(project: TestProject): string {
  const runnables = listConfiguredRunnables(project.root).testCommand ?? [];
  const texts = runnables.map(({ command, file }) => command?.join(" ") ?? project.readText(file ?? "") ?? "");
  return texts.join("\n").replace(/^[ \t]*#.*$/gm, "");
}
