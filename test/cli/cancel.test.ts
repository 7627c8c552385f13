import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../harness/cli/bundle-program.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { PidFile } from "../harness/cli/processes.ts";

const program = await bundleProgram(new URL("./call-program.ts", import.meta.url));

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s cancels a call: exit code %i, no result, nothing left running", async (signal, code) => {
  const family = new PidFile();
  const args = [program, "call", "start_family"];
  const { root, home } = new CliProject();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, HOME: home, PIDS: family.path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const closed = once(child, "close");
  expect(await family.started()).toHaveLength(3);
  child.kill(signal);
  expect(await closed).toEqual([code, null]);
  await family.allGone();
  expect(out).toBe("");
  expect(err).not.toContain("Something went wrong");
});
