import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Seal } from "../../src/commons/guard/seal.ts";

const approval = ["approved", "0badcafe", "local/ada", "a".repeat(64), "Write a.md", '["file:a.md"]', 1_000] as const;
const changes = approval.map((field, at) =>
  approval.map((other, index) => (index === at ? `${field}x` : other)),
) as unknown as (typeof approval)[];

/** In a home where nothing of Forge's is yet. */
function freshKeyFile(): string {
  const home = mkdtempSync(join(tmpdir(), "forge-seal-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return join(home, ".forge", "approvals.key");
}

test("what one process marks, another knows again, and nothing else", async () => {
  const file = freshKeyFile();
  const mark = (await new Seal(file).toMark()).mark(approval);
  const stamp = await new Seal(file).toCheck();
  expect(stamp.fits(approval, mark)).toBe(true);
  for (const changed of changes) {
    expect(stamp.fits(changed, mark), JSON.stringify(changed)).toBe(false);
  }
  for (const other of [null, "", "x", mark.slice(1)]) expect(stamp.fits(approval, other)).toBe(false);
});

test("looking at marks makes no key; without one nothing fits", async () => {
  const file = freshKeyFile();
  const mark = (await new Seal(freshKeyFile()).toMark()).mark(approval);
  const stamp = await new Seal(file).toCheck();
  for (const given of [null, "", mark]) expect(stamp.fits(approval, given)).toBe(false);
  expect(existsSync(file)).toBe(false);
});

test("of many that make the key at once, all use the same", async () => {
  const file = freshKeyFile();
  const stamps = await Promise.all(Array.from({ length: 10 }, () => new Seal(file).toMark()));
  expect(new Set(stamps.map((stamp) => stamp.mark(approval))).size).toBe(1);
  expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}$/);
  if (process.platform !== "win32") expect(lstatSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  ["an empty file", ""],
  ["half a key", "ab".repeat(16)],
  ["something else", "z".repeat(64)],
])("%s in the key's place is named, with what to do; it is never used or replaced", async (_what, content) => {
  const file = freshKeyFile();
  await new Seal(file).toMark();
  writeFileSync(file, content);
  for (const open of [() => new Seal(file).toMark(), () => new Seal(file).toCheck()]) {
    await expect(open()).rejects.toMatchObject({
      code: "CONFIG_ERROR",
      message: expect.stringContaining(file),
      next: [expect.stringContaining("Move the file away")],
    });
  }
  expect(readFileSync(file, "utf8")).toBe(content);
});
