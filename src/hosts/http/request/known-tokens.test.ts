import { describe, expect, test } from "vitest";
import type { SignedIn } from "../../../commons/people.ts";
import { KnownTokens, parseBearer } from "./known-tokens.ts";

const ann: SignedIn = {
  user: { id: "u-1", email: "ann@example.com", displayName: "Ann" },
  team: { id: "t-1", name: "Acme", slug: "acme" },
  role: "member",
  scopes: ["tickets:read"],
  tokenId: "k-1",
};

function openTokens() {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const answer: { of?: () => Promise<SignedIn | undefined> } = {};
  const tokens = new KnownTokens(
    async (bearer, team) => {
      asked.push(`${bearer} ${team}`);
      return answer.of ? answer.of() : bearer === "good" ? ann : undefined;
    },
    () => clock.ms,
  );
  return { tokens, clock, asked, answer };
}

describe("tokens that were understood", () => {
  test("are remembered for ten seconds, each for its team", async () => {
    const { tokens, clock, asked } = openTokens();
    await tokens.of("good", "a");
    clock.ms = 9_999;
    expect(await tokens.of("good", "a")).toEqual(ann);
    await tokens.of("good", "b");
    clock.ms = 10_000;
    await tokens.of("good", "a");
    expect(asked).toEqual(["good a", "good b", "good a"]);
  });

  test("are forgotten when something was changed, also one that was being asked for", async () => {
    const { tokens, asked, answer } = openTokens();
    let answerNow: (signedIn: SignedIn) => void = () => undefined;
    answer.of = () => new Promise((resolve) => (answerNow = resolve));
    const asking = tokens.of("good", undefined);
    tokens.forget();
    answerNow(ann);
    await asking;
    answer.of = async () => undefined;
    expect(await tokens.of("good", undefined)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test("are asked for anew by what must know, which the others learn from", async () => {
    const { tokens, asked, answer } = openTokens();
    await tokens.of("good", undefined);
    expect(await tokens.now("good", undefined)).toEqual(ann);
    expect(asked).toHaveLength(2);
    await tokens.of("good", undefined);
    expect(asked).toHaveLength(2);
    answer.of = async () => undefined;
    expect(await tokens.now("good", undefined)).toBeUndefined();
    expect(await tokens.of("good", undefined)).toBeUndefined();
  });

  test("are asked for once by all who must know while they are being asked for, and after that moment", async () => {
    const { tokens, asked, answer } = openTokens();
    const answers: ((signedIn: SignedIn | undefined) => void)[] = [];
    answer.of = () => new Promise((resolve) => answers.push(resolve));
    const first = tokens.now("good", undefined);
    const others = [tokens.now("good", undefined), tokens.now("good", undefined)];
    const elsewhere = tokens.now("good", "b");
    expect(asked).toEqual(["good undefined", "good b"]);
    answers[0]?.(ann);
    answers[1]?.(ann);
    expect(await first).toEqual(ann);
    expect(await elsewhere).toEqual(ann);
    // It was revoked before they asked, and the first answer may be of before that.
    answers[2]?.(undefined);
    expect(await Promise.all(others)).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(3);
    answer.of = async () => ann;
    expect(await tokens.now("good", undefined)).toEqual(ann);
    expect(asked).toHaveLength(4);
  });

  test("are a thousand at most, and those that are none are not among them", async () => {
    const { tokens, asked, answer } = openTokens();
    answer.of = async () => undefined;
    await tokens.of("bad", undefined);
    await tokens.of("bad", undefined);
    answer.of = async () => ann;
    for (let token = 0; token <= 1_000; token++) await tokens.of(`t${token}`, undefined);
    asked.length = 0;
    await tokens.of("t1000", undefined);
    await tokens.of("t1", undefined);
    await tokens.of("t0", undefined);
    expect(asked).toEqual(["t0 undefined"]);
  });
});

test.each([
  ["Bearer abc", "abc"],
  ["bearer  abc", "abc"],
  ["Bearer", undefined],
  ["Bearer ", undefined],
  ["Bearer a b", undefined],
  ["Bearer a\tb", undefined],
  ["Basic abc", undefined],
  [`Bearer ${"x".repeat(4_097)}`, undefined],
  [undefined, undefined],
])("the token in %j is %j", (header, token) => {
  expect(parseBearer(header)).toBe(token);
});
