import { runCli } from "../../src/hosts/cli/run-cli.ts";
import { Redactor } from "../../src/kernel/redact.ts";
import { callRecord, MemoryApp } from "../harness/cli.ts";

/** `forge` with a long ledger in memory, on real streams; with --follow it never ends by itself. */
const app = new MemoryApp();
app.records = Array.from({ length: 20_000 }, (_, index) => callRecord({ id: `call-${index}` }));
app.followActivity = async function* () {
  for (let index = 0; ; index++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield callRecord({ id: `new-${index}` });
  }
};

process.exit(
  await runCli(() => app, process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    binary: "forge",
    env: process.env,
    settingsFile: undefined,
    redactor: new Redactor(),
    signal: new AbortController().signal,
  }),
);
