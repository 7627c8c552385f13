import { describe, expect, test } from "vitest";
import { HttpError } from "../reply/http-error.ts";
import { RateLimits } from "./rate-limits.ts";

function limitsOn(clock: { ms: number }) {
  const rate = { perSecond: 2, burst: 3 };
  return new RateLimits({ read: rate, write: rate, public: rate, refused: rate }, () => clock.ms);
}

function refusalOf(act: () => void): HttpError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

describe("K17 rates", () => {
  test("let a burst through, and then so many a second", () => {
    const clock = { ms: 0 };
    const limits = limitsOn(clock);
    for (let request = 0; request < 3; request++) limits.take("read", "ann");
    const refusal = refusalOf(() => limits.take("read", "ann"));
    expect([refusal?.status, refusal?.code]).toEqual([429, "NETWORK_ERROR"]);
    expect(refusal?.headers).toEqual({ "retry-after": "1" });
    clock.ms += 500;
    limits.take("read", "ann");
    expect(refusalOf(() => limits.take("read", "ann"))).toBeDefined();
  });

  test("are each caller's own, and apart for looking and changing", () => {
    const limits = limitsOn({ ms: 0 });
    for (let request = 0; request < 3; request++) limits.take("read", "ann");
    limits.take("read", "bob");
    limits.take("write", "ann");
    expect(refusalOf(() => limits.take("read", "ann"))).toBeDefined();
  });

  test("are kept for so many callers only, and the one who is limited is not let off by it while others come slowly", () => {
    const clock = { ms: 0 };
    const limits = limitsOn(clock);
    for (let caller = 0; caller < 10_500; caller++) {
      clock.ms += 10;
      limits.take("public", `address-${caller}`);
      if (caller % 50 === 0) refusalOf(() => limits.take("read", "busy"));
    }
    for (let request = 0; request < 3; request++) refusalOf(() => limits.take("read", "busy"));
    expect(refusalOf(() => limits.take("read", "busy"))).toBeDefined();
  });
});
