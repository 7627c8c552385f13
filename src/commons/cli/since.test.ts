import { expect, test } from "vitest";
import { readSince } from "./since.ts";

const now = Date.UTC(2026, 10, 15, 12);

test.each([
  ["30s", 30_000],
  ["15m", 900_000],
  ["1h", 3_600_000],
  ["2d", 172_800_000],
  ["1w", 604_800_000],
])("%s is that long ago", (text, ms) => {
  expect(readSince(text, now)).toBe(now - ms);
});

test("a date begins at midnight here, a time may name its zone", () => {
  expect(readSince("2026-11-01", now)).toBe(new Date(2026, 10, 1).getTime());
  expect(readSince("2026-11-01T14:30", now)).toBe(new Date(2026, 10, 1, 14, 30).getTime());
  expect(readSince("2026-11-01T14:30:00Z", now)).toBe(Date.UTC(2026, 10, 1, 14, 30));
});

test.each(["yesterday", "1", "h", "1y", "-1h", "2026-13-01", "2026-11-01Tx", ""])(
  "%j is refused with examples",
  (text) => {
    expect(() => readSince(text, now)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", next: [expect.stringContaining("2026-11-01")] }),
    );
  },
);
