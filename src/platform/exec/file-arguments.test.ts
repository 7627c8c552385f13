import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { fileArguments } from "./file-arguments.ts";
import { run } from "./run.ts";

let folder = "";
let outside = "";
beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), "forge-arguments-"));
  folder = join(outside, "project");
  mkdirSync(join(folder, "src"), { recursive: true });
  for (const name of ["plain.js", "--config=evil.js", "-r", "@file", "src/a b.js"])
    writeFileSync(join(folder, name), "");
  writeFileSync(join(outside, "secret"), "");
  symlinkSync(join(outside, "secret"), join(folder, "link"));
  symlinkSync(outside, join(folder, "way-out"));
});
afterAll(() => rmSync(outside, { recursive: true, force: true }));

describe("F10 file names as arguments", () => {
  it("cannot be read as options, whatever they are called", async () => {
    const args = fileArguments(folder, ["plain.js", "--config=evil.js", "-r", "@file", "src/a b.js"]);
    expect(args).toEqual(["--", "./plain.js", "./--config=evil.js", "./-r", "./@file", "./src/a b.js"]);
    const { code, stdout } = await run("ls", args, { cwd: folder });
    expect({ code, listed: stdout.toString().split("\n").length }).toEqual({ code: 0, listed: 6 });
  });

  it.each([
    ["an absolute path", "/etc/hostname"],
    ["a way out", "../secret"],
    ["a way out in the middle", "src/../../secret"],
    ["a link out", "link"],
    ["a folder that is a link out", "way-out/secret"],
    ["a folder", "src"],
    ["nothing", ""],
    ["what does not exist", "absent.js"],
    ["a NUL character", "plain.js\0.txt"],
  ])("refuses %s", (_name, name) => {
    expect(() => fileArguments(folder, [name])).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });

  testWith(["posix"], "refuses a FIFO, without waiting for somebody to write to it", () => {
    execFileSync("mkfifo", [join(folder, "fifo")]);
    expect(() => fileArguments(folder, ["fifo"])).toThrow("not a regular file");
  });

  it("refuses more than a command line can bear", () => {
    expect(() => fileArguments(folder, new Array(1001).fill("plain.js"))).toThrow("too many");
  });

  it("gives either arguments that begin with ./ or an error, whatever it is given", () => {
    const pieces = fc.constantFrom("-", "--", "..", "/", ".", "plain.js", "src", "@", "=", "\0", "\n", "*", "link");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
        try {
          const [dashes, ...names] = fileArguments(folder, [parts.join("")]);
          expect(dashes).toBe("--");
          expect(names.every((name) => name.startsWith("./") && !name.split("/").includes(".."))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ForgeError);
        }
      }),
    );
  });
});
