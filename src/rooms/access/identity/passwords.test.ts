import { describe, expect, it } from "vitest";
import { defaultCost, Passwords } from "./passwords.ts";

const cheap = new Passwords({ N: 1024, r: 8, p: 1 });

describe("passwords", () => {
  it("are kept as scrypt's, with their cost and a salt of their own", async () => {
    const [one, other] = [await cheap.hash("correct horse"), await cheap.hash("correct horse")];
    expect(one).toMatch(/^scrypt\$1024\$8\$1\$[A-Za-z0-9_-]{22}\$[A-Za-z0-9_-]{43}$/);
    expect(one).not.toBe(other);
    expect(await cheap.matches("correct horse", one)).toBe(true);
    expect(await cheap.matches("correct hors", one)).toBe(false);
  });

  it("cost at least 32 MiB and three passes of it", async () => {
    expect(128 * defaultCost.N * defaultCost.r).toBeGreaterThanOrEqual(32 * 2 ** 20);
    expect(defaultCost.p).toBe(3);
    const stored = await new Passwords().hash("correct horse");
    expect(await new Passwords().matches("correct horse", stored)).toBe(true);
  });

  it("stored at another cost still fit, and are told to be outdated", async () => {
    const stored = await new Passwords({ N: 512, r: 8, p: 2 }).hash("correct horse");
    expect(await cheap.matches("correct horse", stored)).toBe(true);
    expect(cheap.isOutdated(stored)).toBe(true);
    expect(cheap.isOutdated(await cheap.hash("correct horse"))).toBe(false);
  });

  it("fit nobody who has none, nor a stored text that is no hash", async () => {
    for (const stored of [undefined, null, "", "correct horse", "scrypt$1024$8$1$$", "md5$1$2$3$AAAA$AAAA"]) {
      expect(await cheap.matches("correct horse", stored)).toBe(false);
      expect(await cheap.matches("", stored)).toBe(false);
    }
  });

  it("fit however a keyboard composes an accent", async () => {
    expect(await cheap.matches("re\u0301sume\u0301 1", await cheap.hash("r\u00e9sum\u00e9 1"))).toBe(true);
  });
});
