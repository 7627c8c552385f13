import { describe, expect, it } from "vitest";
import { Gate } from "./gate.ts";

const { signal } = new AbortController();

/** Work that waits until it is let go. */
function held() {
  let release = () => {};
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release, work: () => done };
}

describe("F12 the gate", () => {
  it("lets fifty callers of one key through one at a time, in the order they came", async () => {
    const gate = new Gate(100);
    const order: number[] = [];
    let inside = 0;
    const calls = Array.from({ length: 50 }, (_, index) =>
      gate.pass("project", new AbortController().signal, async () => {
        inside++;
        expect(inside).toBe(1);
        order.push(index);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      }),
    );
    await Promise.all(calls);
    expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it("does not make one key wait for another", async () => {
    const gate = new Gate(1);
    const first = held();
    const waiting = gate.pass("a", signal, first.work);
    expect(await gate.pass("b", signal, async () => "done")).toBe("done");
    first.release();
    await waiting;
  });

  it("refuses whoever finds the queue full, and admits again when there is room", async () => {
    const gate = new Gate(2);
    const first = held();
    const calls = [gate.pass("a", signal, first.work), gate.pass("a", signal, async () => 2)];
    calls.push(gate.pass("a", signal, async () => 3));
    await expect(gate.pass("a", signal, async () => 4)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    first.release();
    await Promise.all(calls);
    expect(await gate.pass("a", signal, async () => 5)).toBe(5);
  });

  it("lets a cancelled caller go without its turn, and the next one through", async () => {
    const gate = new Gate(5);
    const first = held();
    const controller = new AbortController();
    const calls = [gate.pass("a", signal, first.work)];
    let worked = false;
    const cancelled = gate.pass("a", controller.signal, async () => {
      worked = true;
    });
    const last = gate.pass("a", signal, async () => "last");
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
    first.release();
    expect(await last).toBe("last");
    expect(worked).toBe(false);
    await Promise.all(calls);
    await expect(gate.pass("a", controller.signal, async () => 1)).rejects.toMatchObject({ code: "CANCELLED" });
  });

  it("opens again after work that failed", async () => {
    const gate = new Gate(1);
    await expect(gate.pass("a", signal, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await gate.pass("a", signal, async () => 1)).toBe(1);
  });
});
