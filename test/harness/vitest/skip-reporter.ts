import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Names every test that was skipped, since a silent skip reads like a pass; with FORGE_TEST_NO_SKIPS it is a failure. */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const skipped = tests.filter((test) => test.result().state === "skipped");
    if (skipped.length > 0) {
      console.log(`\nSkipped, with what it takes to run them:\n${[...new Set(skipped.map(reason))].join("\n")}`);
      const allowed = process.env["FORGE_TEST_MAY_SKIP"];
      const refused = skipped.filter((test) => !allowed || !reason(test).includes(allowed));
      if (process.env["FORGE_TEST_NO_SKIPS"] && refused.length > 0) {
        console.log("Skips are not allowed here (FORGE_TEST_NO_SKIPS).");
        process.exitCode = 1;
      }
    }
    console.log(`\n${count("passed")} passed, ${count("failed")} failed, ${skipped.length} skipped`);
  }
}

function reason(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" ? result.note : undefined;
  return `- ${test.fullName}${note ? `: ${note}` : ""}`;
}
