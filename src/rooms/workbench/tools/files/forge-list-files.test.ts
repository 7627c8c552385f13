import { describe, expect, it } from "vitest";
import { makeLink } from "../../../../../test/harness/fs/workbench-disk.ts";
import { removeFile, writeBytesName, writeFiles } from "../../../../../test/harness/git/git.ts";
import { openFiles } from "../../../../../test/harness/rooms/workbench/workbench-files.ts";

type Entry = { path: string; size?: number; kind?: string };
const pathsOf = (answer: Record<string, unknown>) => (answer["files"] as Entry[]).map(({ path }) => path);

describe("forge_list_files", () => {
  it("lists what git tracks and could, not what is ignored or gone", async () => {
    const { call, root } = openFiles(
      { ".gitignore": "out/\n", "src/a.ts": "12345", "src/b.ts": "", gone: "" },
      { open: false },
    );
    writeFiles(root, { "src/new.ts": "1", "out/x.js": "" });
    removeFile(root, "gone");
    expect(await call("forge_list_files", {})).toEqual({
      files: [
        { path: ".gitignore", size: 5 },
        { path: "src/a.ts", size: 5 },
        { path: "src/b.ts", size: 0 },
        { path: "src/new.ts", size: 1 },
      ],
      total: 4,
      truncated: false,
    });
    expect(pathsOf(await call("forge_list_files", { include_ignored: true }))).toContain("out/x.js");
  });

  it("takes a folder, a pattern and a depth", async () => {
    const { call } = openFiles({ "a/x.ts": "", "a/b/y.ts": "", "a/b/z.js": "", "c.ts": "", "a/b/c/w.ts": "" });
    expect(pathsOf(await call("forge_list_files", { path: "a/b" }))).toEqual(["a/b/c/w.ts", "a/b/y.ts", "a/b/z.js"]);
    expect(pathsOf(await call("forge_list_files", { pattern: "*.js" }))).toEqual(["a/b/z.js"]);
    expect(await call("forge_list_files", { path: "a", depth: 1 })).toMatchObject({
      files: [
        { path: "a/b", kind: "folder", files: 3 },
        { path: "a/x.ts", size: 0 },
      ],
      total: 2,
    });
    expect(await call("forge_list_files", { path: "nowhere" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await call("forge_list_files", { pattern: "[a" })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("gives paths from a root that is a folder of the repository", async () => {
    const { call } = openFiles({ "app/x": "", other: "" }, { at: (repository) => `${repository}/app` });
    expect(pathsOf(await call("forge_list_files", {}))).toEqual(["x"]);
  });

  it("E25 gives 10,000 files in pages that hold all of them once", async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `d${index % 7}/file ${index}`);
    const { call } = openFiles(Object.fromEntries(names.map((name) => [name, ""])));
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await call("forge_list_files", { limit: 2_000, ...(cursor !== undefined && { cursor }) });
      expect(page).toMatchObject({ total: 10_000, truncated: page["next_cursor"] !== undefined });
      seen.push(...pathsOf(page));
      cursor = page["next_cursor"];
    } while (cursor !== undefined);
    expect(seen).toEqual([...names].sort());
    expect(await call("forge_list_files", { cursor: "###" })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("answers in pages of 200 by default, each with the way to the next", async () => {
    const names = Array.from({ length: 450 }, (_, index) => `src/file-${String(index).padStart(3, "0")}.ts`);
    const { call } = openFiles(Object.fromEntries(names.map((name) => [name, ""])));
    const first = await call("forge_list_files", {});
    expect(first).toMatchObject({ total: 450, truncated: true, next_cursor: expect.any(String) });
    expect(pathsOf(first)).toEqual(names.slice(0, 200));
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(16_384);
    const second = await call("forge_list_files", { cursor: first["next_cursor"] });
    const third = await call("forge_list_files", { cursor: second["next_cursor"] });
    expect([...pathsOf(second), ...pathsOf(third)]).toEqual(names.slice(200));
    expect(third).not.toHaveProperty("next_cursor");
  });

  it("E25 shows names with newlines, quotes, and bytes that are no UTF-8", async () => {
    const { call, root } = openFiles({ "new\nline": "", 'quo"te': "", "späce ": "" });
    writeBytesName(root, Buffer.from([0x66, 0xff, 0x67]));
    expect(pathsOf(await call("forge_list_files", {}))).toEqual(["f\\xFFg", "new\nline", 'quo"te', "späce "]);
  });

  it("D08 does not name what may not be read, and shows a link outwards as no file", async () => {
    const { call, root } = openFiles({ f: "" });
    writeFiles(root, { ".ssh/id": "k", ".SSH/id": "k", ".forge/x": "s", "a/.aws/credentials": "s" });
    makeLink(root, "out", "/etc/passwd");
    expect(await call("forge_list_files", { include_ignored: true })).toMatchObject({
      files: [
        { path: "f", size: 0 },
        { path: "out", kind: "other" },
      ],
    });
    expect(await call("forge_list_files", { path: ".ssh" })).toMatchObject({ code: "PERMISSION_DENIED" });
  });
});
