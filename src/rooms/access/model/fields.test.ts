import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { networkOf } from "../identity/network.ts";
import { slugOf } from "../teams/slug.ts";
import { isEmail, isId, isPassword, originDetails, requireEmail, requireName, requirePassword } from "./fields.ts";

describe("fields", () => {
  it("an email address has one spelling", () => {
    expect(requireEmail("  Ada.Lovelace+forge@Example.COM ")).toBe("ada.lovelace+forge@example.com");
  });

  it.each([
    "",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@@example.com",
    "ada@exa mple.com",
    "a da@example.com",
    "ada@-example.com",
    "ada@example-.com",
    "ada@example..com",
    ".ada@example.com",
    "ada.@example.com",
    "a..da@example.com",
    "ada@example.com\u0000",
    "ada@example.com\nbcc: x@y.z",
    `${"a".repeat(65)}@example.com`,
    `ada@${"a.".repeat(130)}com`,
    "адa@example.com",
  ])("%j is not a valid email address", (text) => {
    expect(() => requireEmail(text)).toThrow("Not a valid email address");
  });

  it("never takes an address that has anything but visible ASCII", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: anyCharacter })), (text) => {
        const email = text.toLowerCase();
        return !isEmail(email) || /^[\x21-\x7e]{3,254}$/.test(email);
      }),
    );
  });

  it("a password has 8 to 200 characters, counted as people see them", () => {
    for (const right of ["12345678", "x".repeat(200), "🐎".repeat(8), "🐎".repeat(200)]) {
      expect(requirePassword(right)).toBe(right);
    }
    for (const wrong of ["", "1234567", "x".repeat(201), "🐎".repeat(7), "🐎".repeat(201), "x".repeat(10_000_000)]) {
      expect(isPassword(wrong)).toBe(false);
    }
  });

  it("a name is one visible line", () => {
    expect(requireName("name", "  Ada Lovelace ")).toBe("Ada Lovelace");
    for (const wrong of ["", "  ", "a\nb", "a\u0000b", "a\u202eb", "\ud800", "x".repeat(101)]) {
      expect(() => requireName("name", wrong)).toThrow("1 to 100 visible characters");
    }
  });

  it("what strangers say of themselves is cut and shown whole", () => {
    const { agent } = originDetails({ address: "192.0.2.1", agent: `x\u0000\n${"y".repeat(10_000)}` });
    expect(agent).toHaveLength(204);
    expect(agent).toMatch(/^x\\x00\\ny+$/);
  });

  it("an id is a UUID of ours", () => {
    expect(isId("3f0c1f5e-1111-4222-8333-444455556666")).toBe(true);
    for (const wrong of ["", "T-001", "3f0c1f5e-1111-4222-8333-44445555666'", "\u0000"])
      expect(isId(wrong)).toBe(false);
  });
});

describe("one address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%s counts as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe("slugs", () => {
  it.each([
    ["Acme", "acme"],
    ["Acme Röhren & Söhne", "acme-rohren-sohne"],
    ["  --  ", "team"],
    ["日本", "team"],
    ["a".repeat(29).concat(" b"), "a".repeat(29)],
  ])("%s is %s", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});
