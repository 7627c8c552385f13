import { makeCli } from "../../src/app/cli.ts";
import { binaryNamed } from "../../src/app/settings/binaries.ts";
import type { App } from "../../src/commons/cli/app.ts";
import { runCli } from "../../src/hosts/cli/run-cli.ts";
import { defineCommand } from "../../src/kernel/definitions/command.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { Lifecycle } from "../../src/platform/host/lifecycle.ts";
import type { LiveTerminal, ScreenEvents } from "../../src/platform/terminal/live-terminal.ts";
import { runAttached } from "../../src/platform/terminal/run-attached.ts";
import { withRoom } from "../harness/rooms/fixture-room.ts";

/** Runs another program on its terminal, then waits for Ctrl+C. */
const attach = defineCommand({
  name: "attach",
  summary: "Run a program",
  examples: [],
  settings: [],
  group: "more",
  arguments: [{ name: "program", required: true, rest: true, help: "" }],
  async run(_app: App, { positionals: [program = "", ...args] }, out) {
    const { signal } = out;
    out.print(`ended ${JSON.stringify(await runAttached(program, args, { cwd: process.cwd(), signal }))}`);
    const alive = setInterval(() => undefined, 60_000);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    clearInterval(alive);
    out.print("interrupted");
    return 0;
  },
});

/** With FAULT_AT in the environment, these keys are the program's end by a fault of its own. */
const { FAULT_AT } = process.env;

function faulty(live: LiveTerminal): LiveTerminal {
  return {
    takeOver: (events, work) => live.takeOver(faultyEvents(events), work),
  };
}

function faultyEvents(events: ScreenEvents): ScreenEvents {
  return {
    typed(keys) {
      if (FAULT_AT !== undefined && keys.includes(FAULT_AT)) setImmediate(fail);
      events.typed(keys);
    },
    resized: () => events.resized(),
    closed: () => events.closed(),
  };
}

function fail(): never {
  throw new Error("a fault of ours");
}

/** `forge` on a real terminal, ended by signals like the real one. */
const lifecycle = new Lifecycle();
lifecycle.endOnSignals();
const redactor = new Redactor();
const roomSet = await withRoom({ commands: [attach] });
const cli = makeCli({ binary: binaryNamed("forge"), lifecycle, redactor, roomSet });
const open: typeof cli.open = (...given) => {
  const app = cli.open(...given);
  const { terminal } = app;
  return {
    ...app,
    terminal: {
      launch: terminal.launch,
      openBrowser: terminal.openBrowser,
      isInteractive: terminal.isInteractive,
      ask: terminal.ask,
      editor: terminal.editor,
      live: terminal.live && faulty(terminal.live),
    },
  };
};
const { stdout, stderr } = process;
const { TERM } = process.env;
await lifecycle.end(
  await runCli({ ...cli, open }, process.argv.slice(2), {
    ...{ stdout, stderr, term: TERM, redactor },
    signal: lifecycle.signal,
  }),
);
