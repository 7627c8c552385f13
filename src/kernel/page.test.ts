import { describe, expect, it } from "vitest";
import { pageOf, parseCursor } from "./page.ts";

describe("a cursor", () => {
  it("leads from one page to the next, until the last has none", () => {
    const rows = [3, 5, 8, 9].map((seq) => ({ seq }));
    const after = (cursor: string | undefined) => rows.filter(({ seq }) => seq > (parseCursor(cursor) ?? 0));
    const first = pageOf(after(undefined).slice(0, 3), 2, ({ seq }) => seq);
    expect(first).toEqual({ items: [{ seq: 3 }, { seq: 5 }], nextCursor: "5" });
    const second = pageOf(after(first.nextCursor).slice(0, 3), 2, ({ seq }) => seq);
    expect(second).toEqual({ items: [{ seq: 8 }, { seq: 9 }] });
    expect(pageOf([], 2, () => 0)).toEqual({ items: [] });
  });

  it.each(["", "-1", "1.5", "abc", "9".repeat(16), "9".repeat(17), " 1"])("%j is refused", (cursor) => {
    expect(() => parseCursor(cursor)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", message: "The cursor is not valid." }),
    );
  });
});
