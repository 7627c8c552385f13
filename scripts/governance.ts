/** Checks this project's own rules in Forge/: the static ones, without a store. Prints what is broken and nothing else. */
import { join } from "node:path";
import { Trust } from "../src/commons/trust/index.ts";
import { openDatabase } from "../src/platform/db/database.ts";
import { Git } from "../src/platform/git/git.ts";
import { GovernanceCheck } from "../src/rooms/governance/check/governance-check.ts";
import { MeasurementStore } from "../src/rooms/governance/check/measurement-store.ts";

const root = join(import.meta.dirname, "..");
const check = new GovernanceCheck({
  root,
  stateDir: join(root, ".forge"),
  git: new Git(),
  trust: new Trust(),
  tests: () => Promise.resolve({ service: { run: notRun }, runs: { latest: async () => [] } }),
  // Opened by the first value that is kept, and a static check keeps none.
  measurements: new MeasurementStore(openDatabase({ file: join(root, ".forge", "forge.db") }, [])),
});
const signal = new AbortController().signal;
const result = await check.check({ mode: "static" }, { signal, report: () => undefined });
for (const { name, status, message } of result.invariants) if (status === "broken") console.log(`${name} ${message}`);
for (const { file, line, layer, rule, status } of result.violations)
  if (status === "new") console.log(`${file}:${line}: ${layer} must not contain ${rule}`);
for (const { file, line, message } of result.syntax_errors) console.log(`${file}:${line}: ${message}`);
for (const { rule, until } of result.expired_waivers) console.log(`the waiver of ${rule} expired on ${until}`);
process.exitCode = result.status === "passed" ? 0 : 1;

function notRun(): never {
  throw new Error("a static check runs no tests");
}
