import { describe, expect, it } from "vitest";
import { readBytes } from "../../../../../test/harness/fs/workbench-disk.ts";
import { openFiles } from "../../../../../test/harness/rooms/workbench/workbench-files.ts";

const text = (root: string, name: string) => readBytes(root, name).toString();

describe("forge_edit_file", () => {
  it("makes edits in order and shows the diff", async () => {
    const { call, root, noted } = openFiles({ f: "one\ntwo\nthree\n" });
    const edits = [
      { old_text: "two", new_text: "zwei" },
      { old_text: "zwei\nthree", new_text: "zwei\ndrei\nvier" },
    ];
    expect(await call("forge_edit_file", { file_path: "f", edits, purpose: "German" })).toEqual({
      status: "success",
      file_path: "f",
      action: "modified",
      lines_added: 3,
      lines_removed: 2,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      git_status: "modified",
      execution_id: "exec_1",
      diff: "@@ -1,3 +1,4 @@\n one\n-two\n-three\n+zwei\n+drei\n+vier",
    });
    expect(text(root, "f")).toBe("one\nzwei\ndrei\nvier\n");
    expect(noted).toMatchObject([{ kind: "file", purpose: "German", file: { action: "modified", linesAdded: 3 } }]);
  });

  it("G shows no line of a private key, nor a part of a token, in a diff or as the nearest line", async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line${index}/MIIEvQIBADANBgkqhkiG`);
    const key = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----"];
    const long = `${"word ".repeat(38)}ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
    const { call, root } = openFiles({ f: [...key, "port = 1", long, ""].join("\n") });
    const edit = (old_text: string, new_text: string) =>
      call("forge_edit_file", { file_path: "f", edits: [{ old_text, new_text }] });
    expect(await edit("line6 of it", "x")).toMatchObject({ details: { found: 0 } });
    const answers = [await edit("line6 of it", "x"), await edit("word of it", "x")];
    expect(JSON.stringify(answers)).not.toMatch(/MIIE|aB3d/);
    expect(await edit("port = 1", "port = 2")).toMatchObject({ diff: expect.stringContaining("+port = 2") });
    // Whether a part of it is found would tell what is in it.
    expect(await edit("line6", "line66")).toMatchObject({ details: { found: 0 } });
    expect(text(root, "f")).toContain("line6/MIIE");
  });

  it("G an edit beside a secret leaves it hidden, and one of its parts tells nothing", async () => {
    const token = `ghp_${"9fK2mQ7xR4tLc8Vb3Nw6Zd1Jh5Pg0SaYuEiT"}`;
    const { call, root } = openFiles({ f: `key = "${token}";\nurl = "postgres://ann:a@db.example.net";\n` });
    const edit = (...edits: [old_text: string, new_text: string][]) =>
      call("forge_edit_file", { file_path: "f", edits: edits.map(([old_text, new_text]) => ({ old_text, new_text })) });
    const missing = ["none", "x"] as const;
    const [right, wrong] = [await edit(["ghp_9f", "x"], [...missing]), await edit(["ghp_9g", "x"], [...missing])];
    expect(right).toMatchObject({ details: { edit: 0, found: 0 } });
    expect(JSON.stringify(right)).toBe(JSON.stringify(wrong));
    expect(await edit(['key = "', 'key = "A'])).toMatchObject({ message: expect.stringContaining("would show") });
    expect(text(root, "f")).toContain(`"${token}"`);
    expect(await edit(["key", "secret"], ["db.example", "sql.example"])).toMatchObject({ action: "modified" });
    // Who knows it can take it out.
    expect(await edit([token, "process.env.TOKEN"])).toMatchObject({ lines_added: 1 });
    expect(text(root, "f")).not.toContain("ghp_");
  });

  it("changes nothing where one of them cannot be made, and says which and why", async () => {
    const { call, root, noted } = openFiles({ f: "a = 1;\nb = 2;\n  a = 1;\n" });
    const edit = (...edits: object[]) => call("forge_edit_file", { file_path: "f", edits });
    const good = { old_text: "b = 2;", new_text: "b = 3;" };
    expect(await edit(good, { old_text: "a = 1;", new_text: "" })).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("Edit 2 of 2"),
      details: { edit: 1, found: 2, lines: [1, 3] },
    });
    expect(await edit({ old_text: "b  = 2;", new_text: "x" })).toMatchObject({
      message: expect.stringContaining('nearest line is 2: "b = 2;"'),
      details: { found: 0, nearest_line: 2 },
    });
    expect(await edit({ old_text: "b = 2;", new_text: "b = 2;" })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await edit({ old_text: "", new_text: "x" })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(text(root, "f")).toBe("a = 1;\nb = 2;\n  a = 1;\n");
    expect(noted).toEqual([]);
    expect(await edit({ old_text: "a = 1;", new_text: "a = a = 1;", replace_all: true })).toMatchObject({
      lines_added: 2,
    });
    expect(text(root, "f")).toBe("a = a = 1;\nb = 2;\n  a = a = 1;\n");
  });

  it("fits lines that end in CRLF and keeps them, with the byte order mark", async () => {
    const { call, root } = openFiles({ f: "\ufeffa\r\nb\r\nc\r\n" });
    const edits = [
      { old_text: "a\nb\n", new_text: "a\nnew\nb\n" },
      { old_text: "c", new_text: "c\nd" },
    ];
    expect(await call("forge_edit_file", { file_path: "f", edits })).toMatchObject({
      lines_added: 2,
      lines_removed: 0,
    });
    expect(text(root, "f")).toBe("\ufeffa\r\nnew\r\nb\r\nc\r\nd\r\n");
  });

  it("fits either kind of line in a file that has both, and leaves the others as they are", async () => {
    const { call, root } = openFiles({ f: "a\r\nb\r\nc\nd\n" });
    const edits = [
      { old_text: "a\nb\n", new_text: "x\ny\n" },
      { old_text: "c\nd\n", new_text: "z\n" },
    ];
    await call("forge_edit_file", { file_path: "f", edits });
    expect(text(root, "f")).toBe("x\r\ny\r\nz\n");
  });

  it("D17 is refused where the file has changed, is not there, or is no text", async () => {
    const { call } = openFiles({ f: "a\n", b: "\u0000" });
    const edits = [{ old_text: "a", new_text: "b" }];
    const stale = { file_path: "f", edits, expected_sha256: "0".repeat(64) };
    expect(await call("forge_edit_file", stale)).toMatchObject({ code: "CONFLICT_ERROR" });
    expect(await call("forge_edit_file", { file_path: "gone", edits })).toMatchObject({ code: "NOT_FOUND" });
    expect(await call("forge_edit_file", { file_path: "b", edits })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await call("forge_edit_file", { file_path: "f", edits: [] })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("refuses an edit that would make the file grow without measure", async () => {
    const { call, root } = openFiles({ f: "a".repeat(10_000) });
    const edits = [{ old_text: "a", new_text: "b".repeat(100_000), replace_all: true }];
    expect(await call("forge_edit_file", { file_path: "f", edits })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(text(root, "f")).toHaveLength(10_000);
  });
});
