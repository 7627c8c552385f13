import { expect, test } from "vitest";
import { CapturedStream, withoutColours } from "../../../../test/harness/cli/cli.ts";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";
import type { App } from "../../../commons/cli/app.ts";

const terminal = () => new CapturedStream({ isTTY: true, columns: 80 });

class BytesStream extends CapturedStream {
  readonly bytes: Buffer[] = [];

  override _write(chunk: Buffer | string, encoding: string, done: () => void): void {
    this.bytes.push(Buffer.from(chunk));
    super._write(chunk, encoding, done);
  }
}

/** The program, in which the diff of the execution is this one. */
function withPatch(patch: Buffer | string, { truncated = false, aside = [] as string[] } = {}) {
  return (app: App): Partial<App> => ({
    tools: {
      ...app.tools,
      call: async (name, input, options) => {
        if (name !== "forge_diff_execution") return app.tools.call(name, input, options);
        return { ...input, patch: Buffer.from(patch).toString("base64"), truncated, aside };
      },
    },
  });
}

test("is exact on a pipe, coloured on a terminal, and data for a script", async () => {
  const cli = new WorkbenchCli();
  const id = await cli.start();
  expect(await cli.run("run diff")).toMatchObject({ out: "", err: "No changes.\n", code: 0 });
  cli.put({ "a.txt": "two\n", "b.txt": "1\n2\n" });
  const { out } = await cli.run("run diff");
  expect(out).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n");
  const stdout = terminal();
  await cli.run("run diff", { stdout });
  expect(withoutColours(stdout.text)).toBe(out);
  expect(stdout.text).toContain("\x1b[1m--- a/a.txt\x1b[22m\n");
  expect(stdout.text).toContain("\x1b[36m@@ -1 +1 @@\x1b[39m\n\x1b[31m-one\x1b[39m\n\x1b[32m+two\x1b[39m\n");
  expect(await cli.json("run diff")).toEqual({
    execution_id: id,
    diff: out,
    truncated: false,
    not_utf8: [],
    aside: [],
  });
  expect(await cli.do("run diff --stat")).toBe(
    "  modified  a.txt  +1 -1\n  created   b.txt  +2 -0\n2 files changed, +3 -1",
  );
  expect(await cli.json("run diff --stat")).toMatchObject({
    execution_id: id,
    total: { files: 2, lines_added: 3, lines_removed: 1 },
  });
});

test("bytes that are no text are exact on a pipe; elsewhere their files are named", async () => {
  const cli = new WorkbenchCli();
  await cli.start();
  const binary = "diff --git a/r.dat b/r.dat\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZQzU|?imU|;|M\n\n";
  const patch = Buffer.concat([
    Buffer.from("diff --git a/caf.txt b/caf.txt\n@@ -1 +1 @@\n-"),
    Buffer.from([0xe9]),
    Buffer.from(`\n+e\n${binary}diff --git a/z.txt b/z.txt\n@@ -0,0 +1 @@\n+z\n`),
  ]);
  const options = { with: withPatch(patch, { aside: ["theirs.txt"] }) };
  const pipe = new BytesStream();
  const { err } = await cli.run("run diff", { ...options, stdout: pipe });
  expect(Buffer.concat(pipe.bytes).equals(patch)).toBe(true);
  expect(err).toBe("Also changed, but left out as it may not belong to this task: theirs.txt.\n");

  const stdout = terminal();
  const shown = await cli.run("run diff", { ...options, stdout });
  expect(shown.err).toContain("Not UTF-8, so not shown exactly: caf.txt.");
  expect(withoutColours(stdout.text)).toContain(
    "\nBinary file; its data is only printed to a pipe.\ndiff --git a/z.txt b/z.txt\n",
  );
  expect(stdout.text).not.toContain("KcmZQ");

  const json = await cli.json<{ diff: string }>("run diff", options);
  expect(json).toMatchObject({ not_utf8: ["caf.txt"], aside: ["theirs.txt"] });
  expect(json.diff).toContain("KcmZQ");
});

test("changes of someone else are left out and named", async () => {
  const cli = new WorkbenchCli({ "a.txt": "one\n", "b.txt": "one\n" });
  const id = await cli.start();
  await cli.do(["call", "forge_write_file", `execution_id=${id}`, "file_path=new.txt", "content=new"]);
  cli.put({ "b.txt": "theirs\n" });
  const { out, err } = await cli.run("run diff");
  expect(out).toContain("+++ b/new.txt");
  expect(out).not.toContain("b.txt");
  expect(err).toContain("left out as it may not belong to this task: b.txt.");
});

test("a diff that was cut says so", async () => {
  const cli = new WorkbenchCli();
  await cli.start();
  const { err } = await cli.run("run diff", { with: withPatch("diff\n", { truncated: true }) });
  expect(err).toContain("The diff is cut here");
});
