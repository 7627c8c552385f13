import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

const report = process.env["FORGE_TEST_REPORT"];

/** They take minutes: command after command of the built program, killed processes, many processes at once, compilers, limits of half a minute, the benchmark. CI runs them as a step of its own. */
const slowTests = ["src/**/*.slow.test.ts", "test/**/*.slow.test.ts"];

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "slow" ? slowTests : ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(mode === "slow" ? [] : slowTests)],
    // Many tests wait for processes and clocks: two of them do not keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism()),
    // Files share the modules that a process has loaded: loading them again for each file took a third of the time.
    isolate: false,
    // For machines that are slow or busy: nothing waits for these.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A worker on a busy machine may take long to end.
    teardownTimeout: 60_000,
    globalSetup: ["test/harness/vitest/global-setup.ts"],
    // For memory-setup.ts.
    execArgv: ["--expose-gc"],
    setupFiles: ["canary", "connections", "environment", "memory"].map(
      (name) => `test/harness/vitest/${name}-setup.ts`,
    ),
    reporters: [
      "default",
      "./test/harness/vitest/skip-reporter.ts",
      // For `forge governance check --report`, which compares the number of tests with the recorded one.
      ...(report === undefined ? [] : [["junit", { outputFile: report }] as [string, { outputFile: string }]]),
    ],
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
}));
