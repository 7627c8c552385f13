import * as z from "zod";
import { defineTool } from "../../../src/kernel/definitions/tool.ts";
import { run } from "../../../src/platform/exec/run.ts";

/** Writes its process id and those of two descendants to a file, then all keep running. */
const familyScript = `
const { spawn } = require("node:child_process");
const { writeFileSync, renameSync } = require("node:fs");
const stay = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
const children = [1, 2].map(() => spawn(process.execPath, ["-e", stay], { stdio: "inherit" }));
const file = process.argv[1];
writeFileSync(file + ".part", [process.pid, ...children.map(({ pid }) => pid)].join("\\n"));
renameSync(file + ".part", file);
setInterval(() => {}, 1000);
`;

/** Tries to interfere with the protocol: reads stdin, writes to stdout and stderr. */
const rudeScript = `
process.stdout.write("POLLUTION\\n");
process.stderr.write("POLLUTION\\n");
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
`;

const told = z.object({ code: z.number().nullable(), output: z.string().max(10_000) });

export const runFamily = defineTool({
  name: "run_family",
  title: "Run a family",
  description: "Starts a child with two children of its own; writes their process ids into a file, and stays.",
  effect: "act",
  input: z.object({ pidFile: z.string().max(4096) }),
  output: told,
  async run(_services, { pidFile }, { signal }) {
    const { code } = await run(process.execPath, ["-e", familyScript, pidFile], { cwd: process.cwd(), signal });
    return { code, output: "" };
  },
});

export const runRude = defineTool({
  name: "run_rude",
  title: "Run a rude child",
  description: "Starts a child that reads its stdin and writes to its stdout.",
  effect: "act",
  input: z.object({}),
  output: told,
  async run(_services, _input, { signal }) {
    const { code, stdout } = await run(process.execPath, ["-e", rudeScript], { cwd: process.cwd(), signal });
    return { code, output: stdout.toString() };
  },
});

export const runSleep = defineTool({
  name: "run_sleep",
  title: "Sleep",
  description: "Runs `sleep` for a while.",
  effect: "act",
  input: z.object({ seconds: z.number().min(0).max(60) }),
  output: told,
  async run(_services, { seconds }, { signal }) {
    const { code } = await run("sleep", [String(seconds)], { cwd: process.cwd(), signal });
    return { code, output: "" };
  },
});
