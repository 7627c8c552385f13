import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { Header, Pax } from "tar";
import { describe, expect, test } from "vitest";
import { failureOf } from "../../../../../test/harness/http/fetching.ts";
import { integrityOf, packArchive, readArchive } from "./archive.ts";
import { assertIntegrity } from "./integrity.ts";

type EntryType = "File" | "SymbolicLink" | "Link" | "FIFO" | "CharacterDevice" | "Directory" | "BlockDevice";
type Entry = { path: string; type?: EntryType; content?: string | Buffer; linkpath?: string; mode?: number };

/** An archive made for an attack: nothing about its entries is checked. */
function evil(...entries: Entry[]): Buffer {
  return gzipSync(Buffer.concat([tarOf(...entries), Buffer.alloc(1024)]));
}

function tarOf(...entries: Entry[]): Buffer {
  const parts = entries.flatMap(({ path, type = "File", content = "", linkpath, mode = 0o644 }) => {
    const bytes = Buffer.from(content);
    const header = new Header({
      path,
      type,
      size: bytes.length,
      mode,
      mtime: new Date(0),
      ...(linkpath && { linkpath }),
    });
    header.encode();
    return [header.block ?? Buffer.alloc(512), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat(parts);
}

const good: Entry = { path: "package/plugin.json", content: "{}" };
const refusal = async (archive: Uint8Array) => {
  const error = await failureOf(readArchive(archive));
  expect(error.code).toBe("INTEGRITY_ERROR");
  return error.message;
};

test("what was packed is what is read, whatever the files are", async () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,40}$/);
  const files = fc.uniqueArray(
    fc.tuple(fc.array(name, { minLength: 1, maxLength: 5 }), fc.uint8Array(), fc.boolean()),
    {
      selector: ([path]) => path[0] ?? "",
      minLength: 1,
      maxLength: 8,
    },
  );
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      const packed = given.map(([path, bytes, isExecutable]) => ({
        path: path.join("/"),
        bytes: Buffer.from(bytes),
        isExecutable,
      }));
      const byPath = [...packed].sort((a, b) => (a.path < b.path ? -1 : 1));
      expect(await readArchive(packArchive(packed))).toEqual(byPath);
      expect(packArchive(packed)).toEqual(packArchive(byPath));
    }),
    { numRuns: 30 },
  );
});

describe("archives that are refused as a whole", () => {
  test.each([
    ["I04 a path upwards", { path: "package/../../evil", content: "x" }],
    ["I04 a path upwards, hidden in the middle", { path: "package/a/../../../evil" }],
    ["I04 an absolute path", { path: "/etc/passwd" }],
    ["I04 a folder beside its own", { path: "other/file" }],
    ["I04 a backslash", { path: "package/..\\evil" }],
    ["I04 a drive", { path: "package/C:evil" }],
    ["I05 a symbolic link", { path: "package/link", type: "SymbolicLink", linkpath: "/etc/passwd" }],
    ["I05 a hard link", { path: "package/link", type: "Link", linkpath: "package/plugin.json" }],
    ["I06 a pipe", { path: "package/pipe", type: "FIFO" }],
    ["I06 a device", { path: "package/null", type: "CharacterDevice" }],
    ["I06 a disk", { path: "package/sda", type: "BlockDevice" }],
    ["I07 a git hook", { path: "package/.git/hooks/pre-commit", content: "#!/bin/sh" }],
    ["I07 a git hook in other letters", { path: "package/.GIT/hooks/pre-commit" }],
    ["I07 npm's configuration", { path: "package/.npmrc" }],
    ["I07 an assistant's permissions", { path: "package/.claude/settings.json" }],
    [
      "I07 a script that runs on installation",
      { path: "package/package.json", content: '{"scripts":{"postinstall":"x"}}' },
    ],
    ["I08 a path of 4 KB", { path: `package/${"a/".repeat(40)}b` }],
    ["I08 a package.json of brackets", { path: "package/package.json", content: `${"[".repeat(91)}${"]".repeat(91)}` }],
    ["I08 a package.json of a megabyte", { path: "package/package.json", content: `"${"x".repeat(1_048_576)}"` }],
    ["a name that differs in case only", { path: "package/PLUGIN.json" }],
    ["the same name twice", { path: "package/plugin.json" }],
    ["a file where there is a folder", { path: "package/plugin.json/inner" }],
    ["a name of Windows' devices", { path: "package/con.txt" }],
    ["a name of Windows' devices, with a digit that is none", { path: "package/com¹.md" }],
    ["a name that Windows shortens", { path: "package/GIT~1/config" }],
    ["a name that ends in a dot", { path: "package/agents./a.md" }],
    ["a stream of a file", { path: "package/plugin.json::$DATA" }],
    [
      "a name that differs in how letters are put together",
      { path: "package/agents/\u00e9.md" },
      { path: "package/agents/e\u0301.md" },
    ],
    [
      "a name that differs in a letter that has no capital",
      { path: "package/straße.md" },
      { path: "package/STRASSE.md" },
    ],
    ["I07 a git hook behind characters that some systems ignore", { path: "package/.g\u200cit/hooks/pre-commit" }],
    [
      "I07 a script behind a byte order mark",
      { path: "package/package.json", content: '\uFEFF{"scripts":{"install":"x"}}' },
    ],
    ["I07 a build that npm runs", { path: "package/binding.gyp", content: "{}" }],
    ["what an installation writes itself", { path: "package/.forge-package.json", content: "{}" }],
  ] as [string, Entry, Entry?][])("%s", async (_what, entry, other = good) => {
    await refusal(evil(other, entry));
    await refusal(evil(entry, other));
  });

  test.each([
    ["a path upwards", { path: "package/../../evil" }],
    ["an absolute path", { path: "/etc/passwd" }],
    ["a git hook", { path: "package/.git/hooks/pre-commit" }],
    ["a path of 4 KB", { path: `package/${"a".repeat(4_096)}` }],
    ["a way to another file", { path: "package/a", linkpath: "/etc/passwd", type: "SymbolicLink" as const }],
  ])("I04 %s in an extended header or a long name", async (_what, { path, ...rest }) => {
    const innocent = { path: "package/a.md", content: "x", ...rest };
    const extended = new Pax({ path, ...rest } as ConstructorParameters<typeof Pax>[0]).encode();
    await refusal(gzipSync(Buffer.concat([tarOf(good), extended, tarOf(innocent), Buffer.alloc(1024)])));
    const long = Buffer.from(`${path}\0`);
    const header = new Header({ path: "././@LongLink", type: "NextFileHasLongPath", size: long.length, mode: 0o644 });
    header.encode();
    const padding = Buffer.alloc((512 - (long.length % 512)) % 512);
    const name = [header.block ?? Buffer.alloc(512), long, padding];
    await refusal(gzipSync(Buffer.concat([tarOf(good), ...name, tarOf(innocent), Buffer.alloc(1024)])));
  });

  test("I08 a gigabyte of zeros, stopped as it unpacks", async () => {
    const zeros = Buffer.alloc(80 * 1_048_576);
    const before = process.memoryUsage().rss;
    expect(await refusal(evil(good, { path: "package/zeros", content: zeros }))).toMatch(/unpacks to more than/);
    expect(process.memoryUsage().rss - before).toBeLessThan(800 * 1_048_576);
  });

  test("I08 too many entries, and archives inside archives", async () => {
    const many = Array.from({ length: 5_001 }, (_, index) => ({ path: `package/f${index}` }));
    expect(await refusal(evil(...many))).toMatch(/more than 5000 entries/);
    expect(await refusal(gzipSync(evil(good)))).toMatch(/compressed twice/);
  });

  test("I08 what comes after the end is not gathered, and counts", async () => {
    const zeros = Buffer.alloc(40 * 1_048_576);
    const noise = Buffer.alloc(2 * 1_048_576, "noise, and more of it; ");
    for (const padding of [
      [gzipSync(zeros), gzipSync(zeros)],
      [gzipSync(noise), gzipSync(zeros), gzipSync(zeros)],
    ])
      expect(await refusal(Buffer.concat([evil(good), ...padding]))).toMatch(/unpacks to more than/);
  });

  test("truncated, damaged and foreign bytes", async () => {
    const archive = packArchive([{ path: "plugin.json", bytes: Buffer.from("{}".repeat(500)), isExecutable: false }]);
    for (const bytes of [
      archive.subarray(0, -20),
      archive.subarray(0, 10),
      Buffer.from("PK"),
      Buffer.alloc(0),
      gzipSync("hello"),
    ])
      await refusal(bytes);
    expect(await refusal(evil())).toMatch(/empty|complete/);
  });
});

test("I06 of a file's permissions only the right to run it is kept", async () => {
  const [plain, program] = await readArchive(
    evil({ ...good, mode: 0o666 }, { path: "package/run", content: "x", mode: 0o4755 }),
  );
  expect([plain?.isExecutable, program?.isExecutable]).toEqual([false, true]);
});

test.each([
  ["", "no published hash"],
  ["md5-XUFAKrxLKna5cZ2REBfFkg==", "weak"],
  ["sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=", "weak"],
  ["sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "weak"],
])("I02 the hash %j is not enough", (given, why) => {
  expect(() => assertIntegrity(Buffer.from("hello"), given, "It")).toThrow(why);
});

test("I01 one flipped bit is noticed; of several hashes the strongest counts", () => {
  const bytes = Buffer.from("hello");
  const right = integrityOf(bytes);
  expect(() => assertIntegrity(bytes, right, "It")).not.toThrow();
  expect(() => assertIntegrity(bytes, `sha1-AAAA ${right}`, "It")).not.toThrow();
  const flipped = Buffer.from(bytes);
  flipped[0] = (flipped[0] ?? 0) ^ 1;
  expect(() => assertIntegrity(flipped, right, "It")).toThrow("does not match");
  const rightWeak = "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=";
  expect(() => assertIntegrity(bytes, `${rightWeak} ${integrityOf(flipped)}`, "It")).toThrow("does not match");
});
