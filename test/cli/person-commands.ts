import type { App } from "../../src/commons/cli/app.ts";
import { defineCommand } from "../../src/kernel/command.ts";
import { ForgeError } from "../../src/kernel/errors.ts";
import { runAttached } from "../../src/platform/terminal/attached.ts";
import { liveList } from "../../src/rooms/tickets/cli/live-list/index.ts";

const facts = { summary: "", examples: [] as [string, string][], settings: [], group: "look" as const };

/** The live list by itself, and a program that runs another one on its terminal. */
export const liveCommands = [
  defineCommand({
    ...facts,
    name: "live",
    async run(app: App, _input, out) {
      if (!app.terminal) throw new ForgeError("VALIDATION_ERROR", "no terminal");
      return liveList(app, {}, out, app.terminal);
    },
  }),
  defineCommand({
    ...facts,
    name: "attach",
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
  }),
];
