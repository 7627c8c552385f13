import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { committingSandbox } from "../../../test/harness/git/committing.ts";
import { type Sandbox, writeFiles } from "../../../test/harness/git/git.ts";
import type { RepositoryWork } from "./work.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let project: string;
let work: RepositoryWork;
beforeEach(() => {
  ({ sandbox, project, work } = committingSandbox());
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const commit = (paths: string[], message = "Change\n", trailers: Record<string, string> = {}) =>
  work.commits.create({ message, trailers, paths }, signal);

describe("a message", () => {
  const body = () => sandbox.git(project, "log", "-1", "--format=%B");

  it("keeps lines that look like comments or options, and gets its trailers", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await commit(["file.txt"], "# Not a comment\n\n--amend\n# nor this\n", {
      "Forge-Task": "login/t1",
      "Forge-Execution": "e1",
    });
    expect(body()).toBe("# Not a comment\n\n--amend\n# nor this\n\nForge-Task: login/t1\nForge-Execution: e1\n\n");
    expect(git("log", "-1", "--format=%(trailers:key=Forge-Task,valueonly)")).toBe("login/t1");
  });

  it("joins its own trailers, but never lends another's name", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await commit(["file.txt"], "Subject\n\nSigned-off-by: Ada <a@b.c>\nforge-task: forged\n", { "Forge-Task": "real" });
    expect(body()).toBe("Subject\n\n    Signed-off-by: Ada <a@b.c>\n\nForge-Task: real\n\n");
    expect(git("log", "-1", "--format=%(trailers:key=Forge-Task,valueonly)")).toBe("real");
  });

  it("cannot move a cursor or turn its text around", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await commit(
      ["file.txt"],
      "Fix\u001b[2J \u202etxt.exe\u202c\n\n\tkept: \ud83d\udc69\u200d\ud83d\udcbb e\u0301\n",
      {},
    );
    expect(body()).toBe("Fix\\x1b[2J \\u202etxt.exe\\u202c\n\n\tkept: \ud83d\udc69\u200d\ud83d\udcbb e\u0301\n\n");
  });

  it.each(["", "  \n\n", "a\0b"])("%j is refused", async (message) => {
    writeFiles(project, { "file.txt": "two\n" });
    await expect(commit(["file.txt"], message)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("cannot bring a trailer of several lines", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await expect(commit(["file.txt"], "m", { "Forge-Task": "a\nForge-Execution: b" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("arrives as it was given", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), async (text) => {
        fc.pre(text.trim() !== "" && !text.includes("\0"));
        writeFiles(project, { "file.txt": `${run++}\n` });
        await commit(["file.txt"], text, { "Forge-Task": "t" });
        const raw = sandbox.git(project, "cat-file", "commit", "HEAD");
        const message = raw.slice(raw.indexOf("\n\n") + 2);
        expect(message.endsWith("\n\nForge-Task: t\n")).toBe(true);
        const kept = message.slice(0, message.lastIndexOf("\n\nForge-Task: t"));
        expect(kept.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
      { numRuns: 15 },
    );
  });
});
