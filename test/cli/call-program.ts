import * as z from "zod";
import { makeCli } from "../../src/app/cli.ts";
import { binaryNamed } from "../../src/app/settings/binaries.ts";
import { runCli } from "../../src/hosts/cli/run-cli.ts";
import { defineTool } from "../../src/kernel/definitions/tool.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { run } from "../../src/platform/exec/run.ts";
import { Lifecycle } from "../../src/platform/host/lifecycle.ts";
import { withRoom } from "../harness/rooms/fixture-room.ts";

const family =
  'sleep 1000 & first=$!; sleep 1000 & printf "%s\\n%s\\n%s" $$ $first $! > "$0.part"; mv "$0.part" "$0"; wait';

/** Starts a family of processes that writes its ids to the file PIDS and never ends by itself. */
const startFamily = defineTool({
  name: "start_family",
  title: "Start a family",
  description: "Start processes.",
  effect: "act",
  deadlineMs: 600_000,
  input: z.object({}),
  output: z.object({ code: z.number() }),
  async run(_services: unknown, _input, { signal }) {
    const { PIDS = "", PATH = "" } = process.env;
    await run("sh", ["-c", family, PIDS], { cwd: ".", env: { PATH }, signal });
    return { code: 0 };
  },
});

/** `forge` with that tool, ended by signals like the real one. */
const lifecycle = new Lifecycle();
lifecycle.endOnSignals();
const redactor = new Redactor();
const roomSet = await withRoom({ tools: [startFamily], services: {} });
const cli = makeCli({ binary: binaryNamed("forge"), lifecycle, redactor, roomSet });
const { stdout, stderr } = process;
const { signal } = lifecycle;
await lifecycle.end(await runCli(cli, process.argv.slice(2), { stdout, stderr, term: undefined, redactor, signal }));
