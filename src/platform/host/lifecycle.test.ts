import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../../test/harness/mcp/fixture-bundle.ts";

const script = bundle("fixture-lifecycle");
const steps = ["ready", "aborted", "cut off", "last added", "failing", "first added"];

type Started = { child: ChildProcess; said(): string[]; ended: Promise<number | null> };

function start(mode: string): Started {
  const child = spawn(process.execPath, [script(), mode], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = once(child, "close").then(([code]) => code);
  return { child, said: () => output.trim().split("\n"), ended };
}

async function untilSaid({ child, said }: Started, word: string): Promise<void> {
  while (!said().includes(word)) await once(child.stdout ?? child, "data");
}

describe("the end of the process", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "B04 %s runs every step once, newest first, and exits 0",
    async (signal) => {
      const program = start("plain");
      await untilSaid(program, "ready");
      program.child.kill(signal);
      expect(await program.ended).toBe(0);
      expect(program.said()).toEqual(steps);
    },
  );

  test("a second call waits with the first, whose code counts", async () => {
    const program = start("end-twice");
    expect(await program.ended).toBe(3);
    expect(program.said()).toEqual(steps);
  });

  test("a step that never ends is cut off", async () => {
    const program = start("slow");
    await untilSaid(program, "ready");
    program.child.kill("SIGTERM");
    expect(await program.ended).toBe(0);
    expect(program.said()).toEqual(["ready", "aborted", "cut off"]);
  });

  test("B04 a second signal ends it now", async () => {
    const [hurried, patient] = [start("slow"), start("slow")];
    for (const program of [hurried, patient]) {
      await untilSaid(program, "ready");
      program.child.kill("SIGTERM");
      await untilSaid(program, "cut off");
    }
    hurried.child.kill("SIGINT");
    expect(await hurried.ended).toBe(0);
    expect(patient.child.exitCode).toBeNull();
    expect(await patient.ended).toBe(0);
  });

  test.each([
    ["throw", "fault thrown"],
    ["reject", "fault rejected"],
  ])("B11 a fault outside any call (%s) is reported and ends it with 1", async (mode, report) => {
    const program = start(mode);
    expect(await program.ended).toBe(1);
    expect(program.said()).toEqual(["ready", report, ...steps.slice(1)]);
  });

  test("a fault while ending neither stops the steps nor changes the code", async () => {
    const program = start("throw-while-ending");
    expect(await program.ended).toBe(0);
    expect(program.said()).toEqual([...steps.slice(0, 3), "fault late", ...steps.slice(3)]);
  });
});
