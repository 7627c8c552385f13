import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { faultFolder, testWith } from "../../../../test/harness/faults/faults.ts";
import { failing, openings, projectWith } from "../../../../test/harness/fs/faults-project.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { Trash } from "../trash/trash.ts";
import { sha256Of } from "./read-all.ts";
import { SafeRoot } from "./safe-root.ts";

describe.each(openings)("SafeRoot, %s", (_name, how) => {
  const project = (files?: Record<string, string | Buffer>) => projectWith(how, files);

  describe("reading", () => {
    test("gives a file's bytes, text and hash", async () => {
      const { root } = project({ "src/a.ts": "één\ntwo\n" });
      const { text, sha256, lines, hasBom, path } = await root.readText("./src//a.ts");
      expect({ text, sha256, lines, hasBom, path }).toEqual({
        text: "één\ntwo\n",
        sha256: sha256Of(Buffer.from("één\ntwo\n")),
        lines: 2,
        hasBom: false,
        path: "src/a.ts",
      });
      expect(await root.sha256("src/a.ts")).toBe(sha256);
      expect((await root.read("src/a.ts")).bytes.toString()).toBe("één\ntwo\n");
    });

    test.each([
      [{ from: 2, to: 3 }, "b\r\nc\n"],
      [{ from: 4, to: 9 }, "d"],
      [{ from: 1, to: 1 }, "a\n"],
      [{ from: 5, to: 6 }, ""],
      [{ from: 3, to: 2 }, ""],
    ])("gives lines %j", async (lines, text) => {
      const { root } = project({ f: "a\nb\r\nc\nd" });
      expect(await root.readText("f", { lines })).toMatchObject({ text, lines: 4 });
    });

    test("takes a byte order mark off, and says so", async () => {
      const { root } = project({ f: "\uFEFFa" });
      expect(await root.readText("f")).toMatchObject({ text: "a", hasBom: true });
    });

    test.each([
      ["zero bytes", Buffer.from("secret\0bytes"), /zero bytes/],
      ["UTF-16", Buffer.from("\uFEFFsecret", "utf16le"), /UTF-16/],
      ["Latin-1", Buffer.from("secret caf\xe9", "latin1"), /not UTF-8/],
    ])("C15 D11 refuses %s as text without quoting it", async (_kind, bytes, why) => {
      const { root } = project({ f: bytes });
      const error: unknown = await root.readText("f").catch((thrown: unknown) => thrown);
      expect(error).toEqual(failing("VALIDATION_ERROR", why));
      expect(JSON.stringify(error instanceof ForgeError && error.toBody())).not.toContain("secret");
      expect((await root.read("f")).bytes).toEqual(bytes);
    });

    test("says what is there, and undefined where there is nothing", async () => {
      const { root } = project({ "d/f": "abc" });
      expect(await root.stat("d/f")).toMatchObject({ path: "d/f", kind: "file", bytes: 3 });
      expect(await root.stat("d")).toMatchObject({ kind: "folder" });
      expect(await root.stat("")).toMatchObject({ path: "", kind: "folder" });
      expect(await root.stat("d/g")).toBeUndefined();
    });

    test("follows links that stay inside, and only those", async () => {
      const { root, folder } = project({ "d/f": "ours", "../outside/f": "theirs", "../root-evil/f": "theirs" });
      symlinkSync("d", join(folder, "in"));
      symlinkSync("../outside", join(folder, "out"));
      symlinkSync("../root-evil/f", join(folder, "sibling"));
      symlinkSync(join(folder, "d", "f"), join(folder, "absolute"));
      expect(await root.readText("in/f")).toMatchObject({ text: "ours", path: "d/f" });
      expect((await root.readText("absolute")).text).toBe("ours");
      for (const path of ["out/f", "sibling"]) {
        await expect(root.read(path), path).rejects.toEqual(failing("PERMISSION_DENIED", /leads out/));
        await expect(root.stat(path), path).rejects.toEqual(failing("PERMISSION_DENIED"));
        await expect(root.sha256(path), path).rejects.toEqual(failing("PERMISSION_DENIED"));
      }
      await expect(root.list("out")).rejects.toEqual(failing("PERMISSION_DENIED"));
    });

    test("D11 a file that is too large is not read, and the error says the size and the limit", async () => {
      const { root, folder } = project({ big: "", small: "12345" });
      truncateSync(join(folder, "big"), 5_000_000_000);
      const before = process.memoryUsage().rss;
      await expect(root.read("big")).rejects.toEqual(
        failing("VALIDATION_ERROR", /5000000000 bytes; the limit is 10485760/),
      );
      await expect(root.readText("big", { lines: { from: 1, to: 2 } })).rejects.toEqual(failing("VALIDATION_ERROR"));
      await expect(root.sha256("big")).rejects.toEqual(failing("VALIDATION_ERROR"));
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_048_576);
      await expect(root.read("small", { maxBytes: 4 })).rejects.toEqual(
        failing("VALIDATION_ERROR", /5 bytes; the limit is 4/),
      );
      expect((await root.read("small", { maxBytes: 5 })).bytes.length).toBe(5);
    });

    test("D11 a file of a million lines is counted and cut", async () => {
      const { root } = project({ f: "line\n".repeat(1_000_000) });
      const { text, lines } = await root.readText("f", { lines: { from: 999_999, to: 2_000_000 } });
      expect({ text, lines }).toEqual({ text: "line\nline\n", lines: 1_000_000 });
    });
  });

  describe("listing", () => {
    test("names entries and their kinds, in order", async () => {
      const { root, folder } = project({ "d/x": "", b: "", a: "" });
      symlinkSync("/etc", join(folder, "l"));
      expect(await root.list()).toEqual({
        entries: [
          { name: "a", kind: "file" },
          { name: "b", kind: "file" },
          { name: "d", kind: "folder" },
          { name: "l", kind: "link" },
        ],
        truncated: false,
      });
      expect((await root.list("d")).entries).toEqual([{ name: "x", kind: "file" }]);
      await expect(root.list("a")).rejects.toEqual(failing("VALIDATION_ERROR", /is a file/));
      await expect(root.list("nowhere")).rejects.toEqual(failing("NOT_FOUND"));
    });

    test("stops at the limit and says so", async () => {
      const { root } = project({ a: "", b: "", c: "" });
      const { entries, truncated } = await root.list("", { maxEntries: 2 });
      expect([entries.length, truncated]).toEqual([2, true]);
      expect((await root.list("", { maxEntries: 3 })).truncated).toBe(false);
    });
  });

  test("D01 D10 whatever path is given: nothing outside changes, and every error is ours and names no place outside", async () => {
    const { root, folder } = project({ "d/f": "x", "../outside/f": "theirs" });
    symlinkSync("../outside", join(folder, "out"));
    symlinkSync("loop", join(folder, "loop"));
    const part = fc.oneof(
      fc.constantFrom(
        "..",
        ".",
        "",
        "d",
        "f",
        "out",
        "loop",
        "~",
        "C:",
        "a\\b",
        "%2e%2e",
        "x".repeat(300),
        ".git",
        "con",
      ),
      fc.string({ unit: anyCharacter, maxLength: 4 }),
    );
    const path = fc.array(part, { maxLength: 5 }).map((parts) => parts.join("/"));
    const trash = new Trash(join(folder, "../state"), { entries: 5 });
    await fc.assert(
      fc.asyncProperty(path, async (given) => {
        const attempts = [
          () => root.readText(given),
          () => root.list(given),
          () => root.stat(given),
          () => root.write(given, "new"),
          () => root.delete(given, trash),
        ];
        for (const attempt of attempts) {
          const error: unknown = await attempt().then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          if (error === undefined) continue;
          expect(error).toBeInstanceOf(ForgeError);
          if (error instanceof ForgeError) expect(JSON.stringify(error.toBody())).not.toContain(folder);
        }
        expect(readdirSync(join(folder, "../outside"))).toEqual(["f"]);
        expect(readdirSync(join(folder, "..")).filter((name) => !["root", "outside", "state"].includes(name))).toEqual(
          [],
        );
      }),
      { numRuns: 150 },
    );
    expect(readFileSync(join(folder, "../outside/f"), "utf8")).toBe("theirs");
  });

  testWith(["posix"], "D10 what the system refuses comes out typed, with the given path only", async () => {
    const { root, folder } = project({ "d/f": "x" });
    symlinkSync("loop", join(folder, "loop"));
    const cases: [path: string, code: string, reason: string][] = [
      ["nowhere", "NOT_FOUND", "ENOENT"],
      ["d/f/g", "VALIDATION_ERROR", "ENOTDIR"],
      ["loop", "PERMISSION_DENIED", "ELOOP"],
    ];
    for (const [path, code, reason] of cases) {
      const error: unknown = await root.read(path).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code, details: { path, reason } });
      expect(JSON.stringify(error instanceof ForgeError && error.toBody())).not.toContain(folder);
    }
    await expect(root.read("d")).rejects.toEqual(failing("VALIDATION_ERROR", /is a folder/));
  });
});

testWith(["linux"], "D10 a path too long for the system is said to be", async () => {
  const path = `${"x/".repeat(2047)}x`;
  const details = { reason: "ENAMETOOLONG" };
  await expect(SafeRoot.at(faultFolder()).read(path)).rejects.toMatchObject({ code: "VALIDATION_ERROR", details });
});

test("a root that does not exist is said to be missing", () => {
  expect(() => SafeRoot.at(join(faultFolder(), "nowhere"))).toThrow(failing("NOT_FOUND"));
});

test("the root may be reached through a link, since whoever names it is trusted", async () => {
  const folder = faultFolder();
  mkdirSync(join(folder, "real"));
  symlinkSync("real", join(folder, "link"));
  const root = SafeRoot.at(join(folder, "link"));
  await root.write("d/f", "x");
  expect((await root.readText("d/f")).text).toBe("x");
});

test("an inner root whose folder is a link is refused", async () => {
  const folder = faultFolder();
  mkdirSync(join(folder, "root"));
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/f"), "theirs");
  symlinkSync("../outside", join(folder, "root/.fractary"));
  const own = SafeRoot.at(join(folder, "root")).within(".fractary");
  await expect(own.write("new", "x")).rejects.toEqual(failing("PERMISSION_DENIED"));
  await expect(own.read("f")).rejects.toEqual(failing("PERMISSION_DENIED"));
  await expect(own.list()).rejects.toEqual(failing("PERMISSION_DENIED"));
});
