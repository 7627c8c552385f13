import { expect, test } from "vitest";
import { runWithin } from "./run-within.ts";

test("work is run to its end, or stopped in time; what it throws is thrown", () => {
  let done = 0;
  expect(runWithin(10_000, () => done++)).toBe(true);
  expect(done).toBe(1);
  const endless = () => {
    for (;;) done++;
  };
  expect(runWithin(20, endless)).toBe(false);
  expect(runWithin(10_000, () => undefined)).toBe(true);
  expect(() =>
    runWithin(10_000, () => {
      throw new RangeError("deep");
    }),
  ).toThrow(RangeError);
});
