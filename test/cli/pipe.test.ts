import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("log-program.ts", import.meta.url));

function start(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ["--import", "tsx", program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

test.each([[["log"]], [["log", "--json"]], [["log", "--follow"]]])("forge %j | head -1 ends quietly", async (args) => {
  const child = start(...args);
  const errors = textOf(child.stderr);
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await exit).toEqual([0, null]);
  expect(await errors).toBe("");
});

test("all of a long output arrives before the process ends", async () => {
  const child = start("log", "--json");
  const exit = once(child, "exit");
  const text = await textOf(child.stdout);
  expect(await exit).toEqual([0, null]);
  expect(JSON.parse(text)).toHaveLength(20_000);
});
