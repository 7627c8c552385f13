import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import {
  canonicalUserCode,
  csrfOf,
  hashOf,
  isDeviceCode,
  kindOfSecret,
  newDeviceCode,
  newSecret,
  newUserCode,
  sameHash,
} from "./secrets.ts";

describe("secrets", () => {
  it("are 256 random bits behind a prefix that tells their kind", () => {
    expect(newSecret("access")).toMatch(/^fga_[A-Za-z0-9_-]{43}$/);
    expect(newSecret("refresh")).toMatch(/^fgr_[A-Za-z0-9_-]{43}$/);
    expect(newSecret("personal")).toMatch(/^fgp_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(newSecret("access").slice(4), "base64url")).toHaveLength(32);
    expect(new Set(Array.from({ length: 1000 }, () => newSecret("access"))).size).toBe(1000);
  });

  it("are known by their form alone, which no other text has", () => {
    for (const kind of ["access", "refresh", "personal", "session", "invitation", "setup"] as const) {
      const secret = newSecret(kind);
      expect(kindOfSecret(secret)).toBe(kind);
      for (const other of [`${secret}x`, secret.slice(0, -1), ` ${secret}`, `${secret}\n`, secret.toUpperCase()]) {
        expect(kindOfSecret(other)).toBeUndefined();
      }
    }
    expect(kindOfSecret(`fga_${"x".repeat(10_000_000)}`)).toBeUndefined();
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => kindOfSecret(text) === undefined));
  });

  it("K16: hashes of equal texts are the same, whatever else differs they are not, of whatever length", () => {
    const secret = newSecret("access");
    expect(sameHash(hashOf(secret), hashOf(secret))).toBe(true);
    expect(sameHash(hashOf(secret), hashOf(newSecret("access")))).toBe(false);
    expect(sameHash(hashOf(secret), "")).toBe(false);
  });

  it("the token of a form tells nothing of the cookie and differs from what is stored of it", () => {
    const cookie = newSecret("session");
    expect(csrfOf(cookie)).toBe(csrfOf(cookie));
    expect(Buffer.from(csrfOf(cookie), "base64url").toString("hex")).not.toBe(hashOf(cookie));
    expect(csrfOf(cookie)).not.toBe(csrfOf(newSecret("session")));
  });
});

describe("codes of the device flow", () => {
  it("K14: device codes are 128 random bits as 32 hex digits", () => {
    expect(newDeviceCode()).toMatch(/^[0-9a-f]{32}$/);
    expect(isDeviceCode(newDeviceCode())).toBe(true);
    expect(isDeviceCode(`${newDeviceCode()}0`)).toBe(false);
  });

  it("K12: each letter of 100,000 user codes is as likely as any other, and none is 0 O 1 I L", () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 100_000; made++) {
      const code = newUserCode();
      for (const letter of code.replace("-", "")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join("")).toBe("23456789ABCDEFGHJKMNPQRSTUVWXYZ");
    const expected = 800_000 / 31;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 30 degrees of freedom: fair letters stay below this but once in 10^10 runs.
    expect(chiSquare).toBeLessThan(110);
  });

  it("are read as people type them", () => {
    expect(newUserCode()).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
    expect(canonicalUserCode("abcd-2345")).toBe("ABCD-2345");
    expect(canonicalUserCode(" abcd 2345 ")).toBe("ABCD-2345");
    expect(canonicalUserCode("ABCD2345")).toBe("ABCD-2345");
    for (const wrong of ["", "ABCD-234", "ABCD-23456", "ABCO-2345", "ABC1-2345", "x".repeat(1_000_000)]) {
      expect(canonicalUserCode(wrong)).toBeUndefined();
    }
  });
});
