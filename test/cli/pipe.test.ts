import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { CliProject, callRecord } from "../harness/cli/cli.ts";
import { forge } from "../harness/cli/forge-process.ts";

const program = [forge];
const entries = 10_000;

/** A project with a long ledger, and `forge` in it. */
async function startProject() {
  const project = new CliProject();
  await project.inside(async (inside) => {
    const { ledger } = await inside.store();
    const at = Date.now();
    for (let index = 0; index < entries; index++) {
      await ledger.close(callRecord({ id: `call-${index}`, at: at + index }));
      // What waits to be written is bounded.
      if (index % 1_000 === 999) await ledger.flush();
    }
  });
  const { PATH = "" } = process.env;
  const options = { cwd: project.root, env: { PATH, HOME: project.home } };
  return (...args: string[]): ChildProcessByStdio<null, Readable, Readable> =>
    spawn(process.execPath, [...program, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

test("whoever reads a long output can stop at any time, and all of it arrives before the process ends", async () => {
  const start = await startProject();
  for (const args of [[], ["--json"], ["--follow"]]) {
    const child = start("log", "--limit", String(entries), ...args);
    const errors = textOf(child.stderr);
    const exit = once(child, "exit");
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect(await exit, args.join(" ")).toEqual([0, null]);
    expect(await errors).toBe("");
  }
  const child = start("log", "--json", "--limit", String(entries));
  const exit = once(child, "exit");
  const text = await textOf(child.stdout);
  expect(await exit).toEqual([0, null]);
  expect(JSON.parse(text)).toHaveLength(entries);
});
