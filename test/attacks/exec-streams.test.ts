import { describe, expect, test } from "vitest";
import { type Containment, run } from "../../src/platform/exec/run.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { containments, outcomeOf, startProgram, testFolder } from "./exec-attacks.ts";

describeWith(["linux"], "both streams", () => {
  describe.each(containments)("with containment by %s", (containment: Containment) => {
    test("F03 a flood on both streams is drained, cut and costs no memory", async () => {
      const source = `
      import { readFileSync } from "node:fs";
      const peak = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1] / 1024;
      const before = peak();
      const options = { cwd: "/", deadlineMs: 1500, containment: ${JSON.stringify(containment)} };
      const { stdout, stderr, truncated, timedOut } = await run("sh", ["-c", "yes & yes >&2"], options);
      const grown = peak() - before;
      console.log(JSON.stringify({ kept: stdout.length + stderr.length, truncated, timedOut, grownMiB: grown }));`;
      const outcome = await outcomeOf(testFolder(), source);
      expect(outcome).toMatchObject({ truncated: true, timedOut: true });
      const { kept, grownMiB } = outcome as { kept: number; grownMiB: number };
      expect(kept).toBeLessThan(2 * 1_048_576 + 200);
      expect(grownMiB).toBeLessThan(100);
    });

    test("B06 a child cannot read our stdin or write to our stdout", async () => {
      const rude = "cat; head -c 5; echo POLLUTION; echo POLLUTION >&2; echo POLLUTION >/dev/tty";
      const source = `
      const options = { cwd: "/", containment: ${JSON.stringify(containment)} };
      const { stdout } = await run("sh", ["-c", ${JSON.stringify(rude)}], options);
      process.stdin.setEncoding("utf8").once("data", (text) => {
        console.log(JSON.stringify({ heard: text, child: stdout.toString() }));
        process.exit(0);
      });`;
      const { child, ended } = startProgram(testFolder(), source);
      child.stdin.write("for us alone\n");
      const { stdout, stderr } = await ended;
      expect({ out: JSON.parse(stdout), stderr }).toEqual({
        out: { heard: "for us alone\n", child: "POLLUTION\n" },
        stderr: "",
      });
    });

    test("input and output pass through unchanged", async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 256));
      const { stdout, code } = await run("cat", [], { cwd: "/", input: bytes, containment });
      expect(code).toBe(0);
      expect(stdout.equals(bytes)).toBe(true);
    });
  });
});
