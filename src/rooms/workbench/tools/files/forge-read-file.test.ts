import { describe, expect, it } from "vitest";
import { makeSparseFile, writeBytes } from "../../../../../test/harness/fs/workbench-disk.ts";
import { openFiles } from "../../../../../test/harness/rooms/workbench/workbench-files.ts";

const hash = /^[0-9a-f]{64}$/;

describe("forge_read_file", () => {
  it("answers content, hash, encoding and lines, also where no execution is open", async () => {
    const { call, records } = openFiles({ "src/main.rs": "fn main() {\n}\n" }, { open: false });
    expect(await call("forge_read_file", { file_path: "./src//main.rs" })).toEqual({
      file_path: "src/main.rs",
      content: "fn main() {\n}\n",
      sha256: expect.stringMatching(hash),
      encoding: "utf8",
      total_lines: 2,
      truncated: false,
    });
    expect(records).toMatchObject([{ about: ["file:./src//main.rs"], outcome: "ok", effect: "read" }]);
  });

  it("says what it does to whoever wants to know, in an execution, and refuses a folder by its name", async () => {
    const { call, reports } = openFiles({ "src/f": "x" });
    await call("forge_read_file", { file_path: "src/f" });
    const told = { execution_id: "exec_1", stage: "implementing", files_in_progress: ["src/f"] };
    expect(reports).toEqual([{ progress: 0, total: 1, message: 'Reading "src/f"', meta: { "forge/execution": told } }]);
    for (const file_path of [".", "src/"])
      expect(await call("forge_read_file", { file_path })).toMatchObject({
        code: "VALIDATION_ERROR",
        message: `"${file_path}" is a folder; a file is expected.`,
      });
  });

  it("gives a range of lines with their ends as they are, and says where there are none", async () => {
    const { call } = openFiles({ f: "1\r\n2\r\n3\r\n4" });
    const range = { file_path: "f", start_line: 2, end_line: 3 };
    expect(await call("forge_read_file", range)).toMatchObject({ content: "2\r\n3\r\n", total_lines: 4 });
    expect(await call("forge_read_file", { ...range, end_line: 99 })).toMatchObject({ content: "2\r\n3\r\n4" });
    for (const wrong of [{ start_line: 5 }, { start_line: 3, end_line: 2 }, { start_line: 0 }])
      expect(await call("forge_read_file", { file_path: "f", ...wrong })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await call("forge_read_file", { file_path: "gone" })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("D11 cuts a file of a million lines at a line's end and says where to go on", async () => {
    const text = Array.from({ length: 1_000_000 }, (_, index) => `${index}\n`).join("");
    const { call } = openFiles({ f: text });
    let read = "";
    let from: unknown = 1;
    for (let pages = 0; from !== undefined && pages < 100; pages++) {
      const answer = await call("forge_read_file", { file_path: "f", start_line: from });
      expect(answer).toMatchObject({ total_lines: 1_000_000 });
      expect(answer["truncated"]).toBe(answer["next_start_line"] !== undefined);
      read += answer["content"];
      from = answer["next_start_line"];
    }
    expect(read).toBe(text);
  });

  it("D11 cuts a line that is too long by itself, between characters", async () => {
    const { call } = openFiles({ f: `x${"💡".repeat(200_000)}` });
    const { content, truncated } = await call("forge_read_file", { file_path: "f" });
    expect(truncated).toBe(true);
    expect(content).toBe(`x${"💡".repeat(131_071)}`);
  });

  it("D11 refuses a sparse file of 5 GB without reading it", async () => {
    const { call, root } = openFiles({ f: "" });
    makeSparseFile(root, "large", 5 * 2 ** 30);
    for (const encoding of ["utf8", "base64"])
      expect(await call("forge_read_file", { file_path: "large", encoding })).toMatchObject({
        code: "VALIDATION_ERROR",
        details: { size: 5 * 2 ** 30 },
      });
  });

  it("D11 refuses what is no text, says how to get it, and gives it as base64", async () => {
    const { call, root } = openFiles({ f: "" });
    for (const [name, bytes] of [
      ["zero", [1, 0, 2]],
      ["latin", [0xe9, 0x0a]],
      ["utf16", [0xff, 0xfe, 0x61, 0]],
    ] as const) {
      writeBytes(root, name, bytes);
      const refusal = await call("forge_read_file", { file_path: name });
      expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", next: [expect.stringContaining("base64")] });
      expect(await call("forge_read_file", { file_path: name, encoding: "base64" })).toMatchObject({
        content: Buffer.from(bytes).toString("base64"),
        encoding: "base64",
      });
    }
    const lines = { file_path: "zero", encoding: "base64", start_line: 1 };
    expect(await call("forge_read_file", lines)).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("G gives no line of a private key away, nor UTF-16 that holds a token", async () => {
    const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    const key = ["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG", "c2VjcmV0", "-----END PRIVATE KEY-----"];
    const { call } = openFiles({ key: ["first", ...key, "last"].join("\n"), wide: [...token].join("\0") });
    const read = await call("forge_read_file", { file_path: "key", start_line: 3, end_line: 6 });
    expect(read).toMatchObject({ content: "\n\n\nlast", total_lines: 6 });
    expect(await call("forge_read_file", { file_path: "wide", encoding: "base64" })).toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });

  it("G gives no secret away as base64 that it would leave out of a text", async () => {
    const token = `ghp_${"a1".repeat(20)}`;
    const { call } = openFiles({ "deploy.txt": `TOKEN=${token}\n`, plain: "nothing\n" });
    const refusal = await call("forge_read_file", { file_path: "deploy.txt", encoding: "base64" });
    expect(refusal).toMatchObject({ code: "PERMISSION_DENIED", next: [expect.stringContaining("utf8")] });
    expect(await call("forge_read_file", { file_path: "plain", encoding: "base64" })).toMatchObject({
      content: Buffer.from("nothing\n").toString("base64"),
    });
  });

  it("tells what a file imports, gives and is used by, where asked", async () => {
    const { call } = openFiles({
      "src/a.ts": 'import { b } from "./b.ts";\nexport const a = b;\n',
      "src/b.ts": "export const b = 1;\n",
      "src/a.test.ts": 'import { a } from "./a.ts";\n',
    });
    expect(await call("forge_read_file", { file_path: "src/a.ts", include_context: true })).toMatchObject({
      content: expect.stringContaining("const a"),
      context: {
        imports: ["./b.ts"],
        exported: ["a"],
        imported_by: ["src/a.test.ts"],
        tests: ["src/a.test.ts"],
        last_commit: { subject: "first" },
      },
    });
    expect(await call("forge_read_file", { file_path: "src/a.ts" })).not.toHaveProperty("context");
  });

  it("leaves a byte order mark out of the content and says so", async () => {
    const { call } = openFiles({ f: "\ufeffa\n" });
    expect(await call("forge_read_file", { file_path: "f" })).toMatchObject({ content: "a\n", has_bom: true });
  });
});
