import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunningProgram } from "../harness/cli/program.ts";
import { fixtureServer } from "../harness/mcp/fixture-bundle.ts";

const start = fixtureServer();

/** Calls the tool and returns the progress that came, in order, with the answer's place among it. */
async function progressOf(program: RunningProgram, steps: number[], token: string | number | undefined, gapMs = 0) {
  const from = program.messages.length;
  const meta = token === undefined ? {} : { _meta: { progressToken: token } };
  const reply = await program.call("progress", { steps, gapMs }, meta);
  expect(reply.result?.["isError"]).toBeUndefined();
  const sent = program.messages.slice(from);
  const numbers = sent.flatMap(({ method, params }) =>
    method === "notifications/progress" ? [params?.["progress"] as number] : [],
  );
  return { numbers, sent, answeredLast: sent.at(-1) === reply };
}

/** Any number that JSON can carry; it knows no negative zero. */
const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => value + 0);

describe("A14 progress", () => {
  test("is sent only to who gave a token", async () => {
    const program = start();
    await program.initialize();
    expect((await progressOf(program, [1, 2, 3], undefined)).sent).toHaveLength(1);
    const { sent } = await progressOf(program, [1], "t-1");
    expect(sent[0]?.params?.["progressToken"]).toBe("t-1");
    const { sent: zero } = await progressOf(program, [1], 0);
    expect(zero[0]?.params?.["progressToken"]).toBe(0);
  });

  test("always rises, is never sent after the answer, and a burst is one message", async () => {
    const program = start();
    await program.initialize();
    await fc.assert(
      fc.asyncProperty(fc.array(number, { maxLength: 30 }), async (steps) => {
        const { numbers, answeredLast } = await progressOf(program, steps, 7);
        expect(answeredLast).toBe(true);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        if (steps.length > 0) expect(numbers[0]).toBe(steps[0]);
      }),
      { numRuns: 40 },
    );
    // What is reported after the answer may be told to nobody.
    expect((await program.call("progress_late")).result?.["structuredContent"]).toEqual({ said: "40" });
    await program.request("ping");
    expect(program.notifications("notifications/progress").map(({ params }) => params?.["progress"])).not.toContain(
      1e9,
    );
  });

  test("comes at most ten times a second", async () => {
    const program = start();
    await program.initialize();
    const steps = Array.from({ length: 60 }, (_, index) => index);
    const began = performance.now();
    const { numbers } = await progressOf(program, steps, "t", 10);
    const seconds = (performance.now() - began) / 1000;
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers.length).toBeLessThanOrEqual(1 + Math.ceil(seconds * 10));
  });
});
