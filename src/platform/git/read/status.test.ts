import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeWith } from "../../../../test/harness/faults/faults.ts";
import { makeSandbox } from "../../../../test/harness/git/git.ts";
import { Git } from "../git.ts";
import { StatusReader } from "./status.ts";

const { signal } = new AbortController();

function read(text: string, chunkSize = text.length, limit = 100) {
  const reader = new StatusReader(limit);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkSize) reader.write(bytes.subarray(at, at + chunkSize));
  return reader.toStatus();
}

const oid = "0".repeat(40);
const sample = [
  `# branch.oid ${oid}`,
  "# branch.head main",
  "# stash 3",
  `1 .M N... 100644 100644 100644 ${oid} ${oid} b c`,
  `1 MM N... 100644 100644 100644 ${oid} ${oid} a`,
  `1 .D N... 100644 100644 000000 ${oid} ${oid} gone`,
  `2 R. N... 100644 100644 100644 ${oid} ${oid} R100 new name`,
  "1 old name that looks like a change",
  `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} clash`,
  "? un tracked\nnewline",
  "",
].join("\0");

describe("StatusReader", () => {
  it.each([1, 7, 64, 100_000])("reads every kind of record, %i bytes at a time", (chunkSize) => {
    expect(read(sample, chunkSize)).toEqual({
      branch: "main",
      commit: oid,
      modified: { names: ["a", "b c", "clash", "gone"], omitted: 0 },
      staged: { names: ["a", "new name"], omitted: 0 },
      untracked: { names: ["un tracked\nnewline"], omitted: 0 },
    });
  });

  it("keeps the first names by code unit and counts the others", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `? ${String((index * 7919) % 1000).padStart(4, "0")}\0`);
    expect(read(names.join(""), 1000, 3).untracked).toEqual({ names: ["0000", "0001", "0002"], omitted: 997 });
  });

  it("survives anything", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const reader = new StatusReader(5);
        for (const chunk of chunks) reader.write(Buffer.from(chunk));
        reader.toStatus();
      }),
    );
  });
});

const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .map((text) => text.replaceAll(/[\0/]/g, "_"))
  .filter((text) => !/^\.\.?$|^\.git/i.test(text));

/** Case-folding and normalising file systems would give back other names than went in. */
describeWith(["linux"], "real git with random names", () => {
  it("agrees", async () => {
    const sandbox = makeSandbox();
    const strange = fc.constantFrom(
      " ",
      "? x",
      "1 .M",
      "a\nb",
      "-z",
      "--",
      '"q"',
      "\\",
      ":(top)x",
      "\t",
      "é",
      "e\u0301",
      "\uFEFF",
    );
    const name = fc.oneof(strange, segment).map((text) => `f/${text}`);
    const split = fc.uniqueArray(name, { minLength: 3, maxLength: 9 });
    try {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(split, async (names) => {
          const folder = sandbox.repository(`r${count++}`, { "base.txt": "" });
          const kinds = [0, 1, 2].map((kind) => names.filter((_, index) => index % 3 === kind));
          const [modified = [], staged = [], untracked = []] = kinds;
          writeAll(folder, modified, "one");
          sandbox.git(folder, "add", "--all");
          sandbox.git(folder, "commit", "--quiet", "--message", "names");
          writeAll(folder, staged, "staged");
          sandbox.git(folder, "add", "--all");
          writeAll(folder, modified, "another length");
          writeAll(folder, untracked, "untracked");
          const repository = new Git(sandbox).open(folder);
          const status = await repository.status(100, signal);
          expect(status.modified.names).toEqual(modified.toSorted());
          expect(status.staged.names).toEqual(staged.toSorted());
          expect(status.untracked.names).toEqual(untracked.toSorted());
          rmSync(folder, { recursive: true });
        }),
        { numRuns: 12 },
      );
    } finally {
      sandbox.dispose();
    }
  });
});

function writeAll(folder: string, names: string[], content: string): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
