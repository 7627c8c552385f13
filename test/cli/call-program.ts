import { runCli } from "../../src/hosts/cli/run-cli.ts";
import { Redactor } from "../../src/kernel/redact.ts";
import { run } from "../../src/platform/exec/exec.ts";
import { Lifecycle } from "../../src/platform/host/lifecycle.ts";
import { MemoryApp } from "../harness/cli.ts";

/** `forge` whose every tool starts a family of processes that writes its ids to the file PIDS and never ends by itself. */
const lifecycle = new Lifecycle();
lifecycle.endOnSignals();

const family =
  'sleep 1000 & first=$!; sleep 1000 & printf "%s\\n%s\\n%s" $$ $first $! > "$0.part"; mv "$0.part" "$0"; wait';
const app = new MemoryApp();
const { PIDS = "", PATH = "" } = process.env;
app.callTool = async (_name, _input, signal) => {
  lifecycle.failOnSignals();
  return run("sh", ["-c", family, PIDS], { cwd: ".", env: { PATH }, signal });
};

const exitCode = await runCli(() => app, process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  binary: "forge",
  env: {},
  settingsFile: undefined,
  redactor: new Redactor(),
  signal: lifecycle.signal,
});
await lifecycle.end(exitCode);
