import { expect, test } from "vitest";
import { isSignedBy, signatureOf } from "./principal.ts";

test("a signature is its owner's or their assistant's, and a name with a slash is nobody else's assistant", () => {
  const ada = { name: "Ada" };
  expect(isSignedBy(signatureOf(ada), ada)).toBe(true);
  expect(isSignedBy(signatureOf({ ...ada, agent: "claude-code" }), ada)).toBe(true);
  const posing = { name: "Ada/claude-code" };
  for (const signature of [signatureOf(posing), signatureOf({ ...posing, agent: "forge" })]) {
    expect(isSignedBy(signature, ada)).toBe(false);
    expect(isSignedBy(signature, posing)).toBe(true);
  }
});
