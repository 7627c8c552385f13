import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const module = join(import.meta.dirname, "log.ts");

/** What a process with this log writes to stderr. */
async function logged(calls: string, clean = "(text) => text"): Promise<string> {
  const program = `import { createLog } from ${JSON.stringify(module)}; const log = createLog("info", ${clean}); ${calls}`;
  const line = ["--import", "tsx", "--input-type=module", "-e", program];
  return (await promisify(execFile)(process.execPath, line)).stderr;
}

test("one line a message, of the level asked for, that shows what it holds", async () => {
  const text = await logged(
    `log("error", "a\\nb\\u202ec\\u2028d", { file: "x\\u001b[2J", odd: { toString() { throw 1; } } });
     log("debug", "not asked for");
     log("info", "é");`,
  );
  expect(text).toBe(
    "[forge] error: a\\nb\\u202ec\\u2028d file=x\\x1b[2J odd=something that cannot be shown\n[forge] info: é\n",
  );
});

test("a secret is taken out in whatever characters it is written", async () => {
  const text = await logged(
    `log("error", "with two\\nlines", { again: "two\\nlines" });`,
    `(text) => text.replaceAll("two\\nlines", "[redacted]")`,
  );
  expect(text).toBe("[forge] error: with [redacted] again=[redacted]\n");
});
