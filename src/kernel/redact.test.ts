import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "./redact.ts";

const random = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

test.each([
  ["github", `ghp_${random}`],
  ["github, fine-grained", `github_pat_${random}`],
  ["forge", `forge_pat_${random}`],
  ["api key", `sk-ant-${random}`],
  ["slack", `xoxb-${random}`],
  ["aws", "AKIAIOSFODNN7EXAMPLE"],
  ["npm", `npm_${random}`],
  ["jwt", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random}`],
  ["private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"],
])("a %s credential is taken out and the text around it stays", (_name, secret) => {
  const clean = new Redactor().text(`before ${secret} after`);
  expect(clean).not.toContain(secret.slice(8));
  expect(clean).toMatch(/^before \[redacted [\w-]+\] after$/);
});

test("a bearer header and a password in an address lose only the secret", () => {
  const redactor = new Redactor();
  expect(redactor.text(`Authorization: Bearer ${random}`)).toBe("Authorization: Bearer [redacted bearer]");
  expect(redactor.text("postgres://ann:s3cret@db/forge")).toBe("postgres://ann:[redacted password-in-url]@db/forge");
  expect(redactor.text("https://example.com/a:b@c")).toBe("https://example.com/a:b@c");
});

test("a learned secret is taken out whatever its shape, also in keys", () => {
  const redactor = new Redactor();
  redactor.learn("open sesame now");
  redactor.learn("short");
  expect(redactor.value({ "open sesame now": ["x open sesame now y", 1, null] })).toEqual({
    "[redacted]": ["x [redacted] y", 1, null],
  });
  expect(redactor.text("short stays: it would take out half the language")).toContain("short");
});

test("what holds no secret is the same object", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const given = JSON.stringify(value);
      expect(JSON.stringify(new Redactor().value(value))).toBe(given);
    }),
  );
  const value = { a: [{ b: "https://example.com" }] };
  expect(new Redactor().value(value)).toBe(value);
});
