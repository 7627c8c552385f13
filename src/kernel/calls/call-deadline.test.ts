import { expect, test, vi } from "vitest";
import { CallDeadline } from "./call-deadline.ts";

test("however often it is watched, it has one timer, and none once it has ended", () => {
  vi.useFakeTimers();
  try {
    const deadline = new CallDeadline("slow", 1_000, new AbortController().signal);
    deadline.watch();
    deadline.watch();
    expect(deadline.signal.aborted).toBe(false);
    expect(vi.getTimerCount() - 1, "besides the one that watches new calls").toBeLessThanOrEqual(1);
    deadline.end();
    deadline.watch();
    vi.advanceTimersByTime(2_000);
    expect(deadline.signal.aborted).toBe(false);
  } finally {
    vi.runAllTimers();
    vi.useRealTimers();
  }
});
