import { describe, expect, it } from "vitest";
import { makeLink, makeSparseFile, replaceByLink, writeBytes } from "../../../../../test/harness/fs/workbench-disk.ts";
import { writeFiles } from "../../../../../test/harness/git/git.ts";
import { openFiles } from "../../../../../test/harness/rooms/workbench/workbench-files.ts";

describe("forge_search_files", () => {
  const files = {
    ".gitignore": "out/\n",
    "src/a.ts": "one\nconst total = 1.5;\nlet Total;\r\nend\n",
    "src/b.js": "total\n",
    "out/c.js": "",
  };

  it("finds a text as it is, with line, column and the lines around", async () => {
    const { call, root } = openFiles(files, { open: false });
    writeFiles(root, { "out/c.js": "total\n", "src/new.ts": "// total\n" });
    expect(await call("forge_search_files", { query: "total", context_lines: 1 })).toEqual({
      matches: [
        {
          file_path: "src/a.ts",
          line: 2,
          column: 7,
          text: "const total = 1.5;",
          before: ["one"],
          after: ["let Total;"],
        },
        { file_path: "src/b.js", line: 1, column: 1, text: "total", before: [], after: [] },
        { file_path: "src/new.ts", line: 1, column: 4, text: "// total", before: [], after: [] },
      ],
      total: 3,
      truncated: false,
      files_searched: 4,
    });
    expect(await call("forge_search_files", { query: "1.5" })).toMatchObject({ total: 1 });
    expect(await call("forge_search_files", { query: "1x5" })).toMatchObject({ total: 0, matches: [] });
  });

  it("takes an expression, either case, a folder and a pattern", async () => {
    const { call } = openFiles(files);
    const search = { query: "^(const|let) t\\w+", regex: true, case_sensitive: false };
    expect(await call("forge_search_files", search)).toMatchObject({ total: 2, matches: [{ line: 2 }, { line: 3 }] });
    expect(await call("forge_search_files", { query: "Total;$", regex: true })).toMatchObject({ total: 1 });
    expect(await call("forge_search_files", { query: "total", pattern: "*.js" })).toMatchObject({ total: 1 });
    expect(await call("forge_search_files", { query: "total", path: "src/b.js" })).toMatchObject({ total: 1 });
    for (const wrong of [{ query: "a\nb" }, { query: "(", regex: true }, { query: "" }])
      expect(await call("forge_search_files", wrong)).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("says how many there are where it shows fewer, and cuts long lines around the match", async () => {
    const { call } = openFiles({ f: "x\n".repeat(1_000), long: `${"a".repeat(5_000)}needle${"b".repeat(5_000)}` });
    expect(await call("forge_search_files", { query: "x", limit: 3 })).toMatchObject({ total: 1_000, truncated: true });
    const { matches } = await call("forge_search_files", { query: "needle" });
    expect(matches).toMatchObject([{ column: 5_001, text: expect.stringMatching(/^a{80}needleb{214}$/) }]);
  });

  it("D03 D08 D11 leaves out links, what may not be read, binary and huge files", async () => {
    const { call, root } = openFiles({ f: "secret\n" });
    writeFiles(root, { ".netrc": "secret", "d/.ssh/k": "secret" });
    writeBytes(root, "binary", [0, ...Buffer.from("secret")]);
    makeSparseFile(root, "huge", 5 * 2 ** 30);
    writeFiles(`${root}-evil`, { f: "secret\n" });
    makeLink(root, "link", "../project-evil/f");
    makeLink(root, "folder", "../project-evil");
    expect(await call("forge_search_files", { query: "secret" })).toMatchObject({
      matches: [{ file_path: "f" }],
      total: 1,
      files_searched: 1,
      files_skipped: 4,
    });
  });

  it("D03 does not follow a tracked folder that was replaced by a link outwards", async () => {
    const { call, root, sandbox } = openFiles({ "d/f": "ours\n" });
    writeFiles(`${root}-evil`, { f: "secret\n" });
    sandbox.git(root, "update-index", "--assume-unchanged", "d/f");
    replaceByLink(root, "d", `${root}-evil`);
    expect(await call("forge_search_files", { query: "secret" })).toMatchObject({ total: 0 });
    expect(await call("forge_list_files", {})).not.toMatchObject({
      files: expect.arrayContaining([{ path: "d/f", size: 7 }]),
    });
  });

  it("G finds nothing in a secret, and shows no part of one", async () => {
    const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----\n";
    const { call } = openFiles({ key, long: `${token} ${"x".repeat(80)}needle${"y".repeat(400)}\n` });
    for (const query of ["MIIE", token.slice(6, 12)])
      expect(await call("forge_search_files", { query })).toMatchObject({ total: 0, matches: [] });
    const found = await call("forge_search_files", { query: "needle" });
    expect(found).toMatchObject({ total: 1 });
    expect(JSON.stringify(found)).not.toContain(token.slice(-8));
  });

  it("stops where the caller goes away", async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => [`f${index}`, "x\n".repeat(200)]);
    const { call } = openFiles(Object.fromEntries(names));
    const leaving = new AbortController();
    const answer = call("forge_search_files", { query: "(x|y)+z", regex: true }, leaving.signal);
    leaving.abort();
    expect(await answer).toMatchObject({ code: "CANCELLED" });
  });
});
