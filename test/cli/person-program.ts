import { runCli } from "../../src/hosts/cli/run-cli.ts";
import { Redactor } from "../../src/kernel/redact.ts";
import { Lifecycle } from "../../src/platform/host/lifecycle.ts";
import { EditedFile } from "../../src/platform/terminal/editor.ts";
import { liveTerminal } from "../../src/platform/terminal/live-terminal.ts";
import { MemoryApp } from "../harness/cli.ts";
import { memoryTicket } from "../harness/memory-desk.ts";
import { liveCommands } from "./person-commands.ts";

/** `forge` with tickets in memory, on a real terminal, ended by signals like the real one. */
const app = new MemoryApp();
const lifecycle = new Lifecycle();
lifecycle.endOnSignals();
app.terminal = liveTerminal(process, process.env["TERM"]);
app.editor = { open: (name, text) => EditedFile.create(name, text, { cwd: process.cwd() }) };
app.ask = async () => "k";
app.desk.text = "# A ticket\n";
app.desk.tickets = [
  memoryTicket({ title: "日本語 \x1b[31mred" }),
  memoryTicket({ id: "T-002", title: "Second" }),
  memoryTicket({ id: "T-666", title: "Ends badly" }),
];
const { get } = app.desk;
app.desk.get = (id) => {
  if (id === "T-666") setImmediate(() => fail());
  return get.call(app.desk, id);
};

function fail(): never {
  throw new Error("a fault of ours");
}

await lifecycle.end(
  await runCli(
    () => app,
    process.argv.slice(2),
    {
      stdout: process.stdout,
      stderr: process.stderr,
      binary: "forge",
      env: process.env,
      settingsFile: undefined,
      redactor: new Redactor(),
      signal: lifecycle.signal,
    },
    liveCommands,
  ),
);
