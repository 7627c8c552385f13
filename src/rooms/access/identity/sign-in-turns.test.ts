import { expect, test } from "vitest";
import { siteOf } from "./network.ts";
import { SignInTurns } from "./sign-in-turns.ts";

const minute = 60_000;
const own = { email: "ada@example.com", address: "192.0.2.1", password: "correct horse" };

test("K a guesser from all addresses of an IPv6 network does not push out the turn of another", () => {
  const turns = new SignInTurns();
  turns.add(turns.turnOf(own), minute);
  for (let guess = 0; guess < 20_000; guess++) {
    const address = `2001:db8:1:${(guess % 4_096).toString(16)}::1`;
    turns.add(turns.turnOf({ ...own, address, password: `guess ${guess}` }), minute);
  }
  expect(turns.leftMs(turns.turnOf(own), 0)).toBe(minute);
  const [first, last] = [0, 19_999].map((guess) => {
    const address = `2001:db8:1:${(guess % 4_096).toString(16)}::1`;
    return turns.leftMs(turns.turnOf({ ...own, address, password: `guess ${guess}` }), 0);
  });
  expect([first, last]).toEqual([undefined, minute]);
});

test("however many sites there are, only so many turns are remembered, and those that ended make room", () => {
  const turns = new SignInTurns();
  const turnOf = (index: number) =>
    turns.turnOf({ ...own, address: `198.${51 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}` });
  for (let index = 0; index < 100_000; index++) turns.add(turnOf(index), minute);
  turns.delete(turnOf(5));
  turns.add(turnOf(100_000), minute);
  expect(turns.leftMs(turnOf(0), 0)).toBe(minute);
  turns.add(turnOf(100_001), minute);
  expect(turns.leftMs(turnOf(0), 0)).toBeUndefined();
  expect(turns.leftMs(turnOf(100_001), 0)).toBe(minute);
});

test("a site is an IPv4 address, or an IPv6 network of a subscriber", () => {
  expect(siteOf("192.0.2.1")).toBe("192.0.2.1");
  expect(siteOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(siteOf("2001:db8:1:2::3")).toBe("2001:db8:1::/48");
  expect(siteOf("2001:db8::3")).toBe("2001:db8:0::/48");
});
