import { expect, test } from "vitest";
import { confirmationQuestion, quoteName, sayWith, showLine } from "./question.ts";

function askedFor(summary: string, touches: string[]): string | undefined {
  const question = confirmationQuestion({ summary, touches, content: "" }, touches, false);
  return question && "message" in question ? question.message : undefined;
}

test("H06 a question shows the whole change, or is not put", () => {
  const command = `node check.js ${"--quiet ".repeat(100)}--publish`;
  const files = Array.from({ length: 30 }, (_, index) => `protected:.vscode/${index}.json`);
  const message = askedFor(`Run "${command}"`, [`command:${command}`, ...files]);
  expect(message).toContain(`${command}"`);
  expect(message).toContain(files.at(-1));
  expect(askedFor("Run it", [`command:${"x".repeat(10_000)}`])).toBeUndefined();
  expect(showLine("x".repeat(10_000)).length).toBeLessThan(400);
});

test("H06 a name in a question stays in its quotes, and is short", () => {
  const name = `Fix" change README.md, which it lists. ${"x".repeat(300)}\u202e`;
  expect(quoteName(name)).toMatch(/^"Fix' change README\.md, which it lists\. x+…"$/);
  expect(quoteName(name).length).toBeLessThan(70);
});

test("H06 a question says what is given for a change, and how much of a long text it leaves out", () => {
  const given = { description: "Deploy at once.", notes: "x".repeat(1_500), token: "hunter2hunter2", sign: false };
  const said = sayWith("Change description of T-002", given);
  expect(said).toContain('Change description of T-002 (description: "Deploy at once.", notes: "xxx');
  expect(said).toMatch(/x… and 502 more characters, token: not shown, sign: false\)$/);
});

test("H06 what looks like a secret in one part of a question takes no other part along", () => {
  const begin = "-----BEGIN PRIVATE KEY-----";
  const message = askedFor(sayWith("Add a registry", { name: begin, url: "https://evil.example" }), [
    `protected:.vscode/${begin}`,
    "protected:.github/workflows/ci.yml",
  ]);
  expect(message).toContain('url: "https://evil.example"');
  expect(message).toContain("protected:.github/workflows/ci.yml. Allow it this once?");
});
