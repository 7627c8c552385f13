import { describe, expect, it } from "vitest";
import { readBytes, writeBytes } from "../../../../../test/harness/fs/workbench-disk.ts";
import { writeFiles } from "../../../../../test/harness/git/git.ts";
import { openFiles } from "../../../../../test/harness/rooms/workbench/workbench-files.ts";
import { sha256Of } from "../../../../platform/files/root/read-all.ts";

const text = (root: string, name: string) => readBytes(root, name).toString();

describe("forge_write_file", () => {
  it("creates a file with its folders, as the specification answers, and tells the execution", async () => {
    const { call, root, noted, records } = openFiles({ "src/main.rs": "fn main() {}\n" });
    const input = { file_path: "src/auth/mod.rs", content: "a\nb\nc\n", purpose: "JWT authentication" };
    expect(await call("forge_write_file", { ...input, create_if_not_exists: true })).toEqual({
      status: "success",
      file_path: "src/auth/mod.rs",
      action: "created",
      lines_added: 3,
      lines_removed: 0,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      git_status: "new file",
      execution_id: "exec_1",
    });
    expect(text(root, "src/auth/mod.rs")).toBe("a\nb\nc\n");
    const sha256 = sha256Of(Buffer.from("a\nb\nc\n"));
    const file = { path: "src/auth/mod.rs", action: "created", linesAdded: 3, linesRemoved: 0, via: "forge", sha256 };
    expect(noted).toEqual([{ kind: "file", file, purpose: "JWT authentication" }]);
    expect(records).toMatchObject([{ about: ["file:src/auth/mod.rs"], effect: "act", outcome: "ok" }]);
  });

  it("leaves the project's dependencies alone: what is run from there was fetched, not written", async () => {
    const { call, noted } = openFiles({ f: "x\n" });
    for (const file_path of ["node_modules/vitest/vitest.mjs", "app/Node_Modules/x.js", ".venv/bin/python"])
      expect(await call("forge_write_file", { file_path, content: "x" })).toMatchObject({
        code: "PERMISSION_DENIED",
        message: expect.stringContaining("dependencies"),
      });
    expect(noted).toEqual([]);
  });

  it("creates a file of credentials, and replaces none that it may not see", async () => {
    const { call, root } = openFiles({ ".env": "KEY=mine\n" });
    const input = { content: "KEY=\n", create_if_not_exists: true };
    expect(await call("forge_write_file", { ...input, file_path: "app/.env" })).toMatchObject({ action: "created" });
    expect(await call("forge_write_file", { ...input, file_path: ".env" })).toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringContaining("holds credentials"),
    });
    expect(text(root, ".env")).toBe("KEY=mine\n");
  });

  it("counts lines as a diff does, and says how git sees the file", async () => {
    const { call, noted } = openFiles({ f: "1\n2\n3\n" });
    const write = (content: string) => call("forge_write_file", { file_path: "f", content });
    const changed = { action: "modified", lines_added: 2, lines_removed: 1, git_status: "modified" };
    expect(await write("1\nzwei\n3\n4\n")).toMatchObject(changed);
    expect(await write("1\nzwei\n3\n4\n")).toMatchObject({ action: "unchanged", git_status: "modified" });
    expect(await write("1\n2\n3\n")).toMatchObject({ action: "modified", git_status: "unchanged" });
    expect(noted).toHaveLength(2);
  });

  it("knows a staged new file, an ignored one, and a file in a folder of the repository", async () => {
    const { call, sandbox, repository } = openFiles(
      { ".gitignore": "*.log\n", "app/f": "x\n" },
      { at: (repository) => `${repository}/app` },
    );
    expect(await call("forge_write_file", { file_path: "f", content: "y\n" })).toMatchObject({
      git_status: "modified",
    });
    await call("forge_write_file", { file_path: "n", content: "y\n" });
    sandbox.git(repository, "add", "app/n");
    expect(await call("forge_write_file", { file_path: "n", content: "z\n" })).toMatchObject({
      git_status: "new file",
    });
    expect(await call("forge_write_file", { file_path: "a.log", content: "z\n" })).toMatchObject({
      git_status: "new file",
      warnings: [expect.stringContaining("ignores")],
    });
  });

  it("D17 is refused where the file is not as expected, and leaves it", async () => {
    const { call, root, noted } = openFiles({ f: "old\n" });
    const { sha256 } = await call("forge_read_file", { file_path: "f" });
    writeFiles(root, { f: "somebody else's\n" });
    const write = { file_path: "f", content: "new\n", expected_sha256: sha256 };
    expect(await call("forge_write_file", write)).toMatchObject({ code: "CONFLICT_ERROR" });
    expect(await call("forge_write_file", { ...write, file_path: "gone" })).toMatchObject({ code: "CONFLICT_ERROR" });
    expect(text(root, "f")).toBe("somebody else's\n");
    expect(noted).toEqual([]);
    const { sha256: now } = await call("forge_read_file", { file_path: "f" });
    const upper = String(now).toUpperCase();
    expect(await call("forge_write_file", { ...write, expected_sha256: upper })).toMatchObject({ action: "modified" });
  });

  it("needs an open execution", async () => {
    const { call } = openFiles({ f: "x" }, { open: false });
    expect(await call("forge_write_file", { file_path: "f", content: "y" })).toMatchObject({
      code: "CONFLICT_ERROR",
      next: expect.arrayContaining([expect.objectContaining({ tool: "forge_execute_task" })]),
    });
  });

  it("creates nothing where told not to", async () => {
    const { call } = openFiles({ f: "x" });
    const write = { file_path: "d/g", content: "y", create_if_not_exists: false };
    expect(await call("forge_write_file", write)).toMatchObject({ code: "NOT_FOUND" });
    expect(await call("forge_list_files", {})).toMatchObject({ files: [{ path: "f" }] });
    expect(await call("forge_write_file", { ...write, file_path: "f" })).toMatchObject({ action: "modified" });
  });

  it("writes bytes given as base64, and refuses what is none", async () => {
    const { call, root } = openFiles({ f: "x" });
    const write = { file_path: "b", content: "AAEC/w==", encoding: "base64" };
    expect(await call("forge_write_file", write)).toMatchObject({ action: "created", lines_added: 0 });
    expect([...readBytes(root, "b")]).toEqual([0, 1, 2, 255]);
    for (const content of ["A", "no base64!", "AAEC/w==AA"])
      expect(await call("forge_write_file", { ...write, content })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await call("forge_write_file", { file_path: "c", content: "\ud800" })).toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("writes no file where a folder is named", async () => {
    const { call, root } = openFiles({ f: "x" });
    for (const file_path of [".", "new/", "new/.", "./"])
      expect(await call("forge_write_file", { file_path, content: "y" })).toMatchObject({
        code: "VALIDATION_ERROR",
        message: `"${file_path}" is a folder; a file is expected.`,
      });
    expect(() => readBytes(root, "new")).toThrow();
  });

  it("says where line ends or a byte order mark are lost", async () => {
    const { call, root } = openFiles({ f: "\ufeffa\r\nb\r\n" });
    expect(await call("forge_write_file", { file_path: "f", content: "a\nb\n" })).toMatchObject({
      warnings: [expect.stringContaining("CRLF"), expect.stringContaining("byte order mark")],
    });
    expect(text(root, "f")).toBe("a\nb\n");
    writeBytes(root, "g", [0, 1]);
    expect(await call("forge_write_file", { file_path: "g", content: "a\n" })).not.toHaveProperty("warnings");
  });

  it("does not put what stands for a secret in the secret's place", async () => {
    const secret = `token = "ghp_${"a1B2".repeat(9)}"\n`;
    const { call, root } = openFiles({ f: `${secret}x = 1\n` });
    const { content } = await call("forge_read_file", { file_path: "f" });
    expect(content).toContain("[redacted github-token]");
    const changed = String(content).replace("x = 1", "x = 2");
    expect(await call("forge_write_file", { file_path: "f", content: changed })).toMatchObject({
      code: "VALIDATION_ERROR",
      next: [expect.objectContaining({ tool: "forge_edit_file" })],
    });
    await call("forge_edit_file", { file_path: "f", edits: [{ old_text: "x = 1", new_text: "x = 2" }] });
    expect(text(root, "f")).toBe(`${secret}x = 2\n`);
  });
});
