import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testWith } from "../harness/faults/faults.ts";
import { outcomes, race } from "../harness/faults/racer.ts";
import { makeFifo } from "../harness/fs/workbench-disk.ts";
import { openFiles } from "../harness/rooms/workbench/workbench-files.ts";

const raceMs = Number(process.env["FORGE_TEST_RACE_MS"] ?? 1000);

/** Every tool that takes a path, used on one. */
const uses: Record<string, (path: string) => [tool: string, input: Record<string, unknown>]> = {
  read: (path) => ["forge_read_file", { file_path: path }],
  "read as bytes": (path) => ["forge_read_file", { file_path: path, encoding: "base64" }],
  write: (path) => ["forge_write_file", { file_path: path, content: "x" }],
  "write, expecting": (path) => [
    "forge_write_file",
    { file_path: path, content: "x", expected_sha256: "0".repeat(64) },
  ],
  edit: (path) => ["forge_edit_file", { file_path: path, edits: [{ old_text: "a", new_text: "b" }] }],
  list: (path) => ["forge_list_files", { path }],
  search: (path) => ["forge_search_files", { path, query: "a" }],
};
const changes = ["write", "write, expecting", "edit"];

/** A project with a neighbour whose name begins alike, and what a link can lead to. */
function neighbourhood() {
  const files = openFiles({ "src/a.ts": "a\n", f: "a\n" });
  const evil = `${files.root}-evil`;
  mkdirSync(evil);
  writeFileSync(join(evil, "f"), "secret a\n");
  symlinkSync("../project-evil", join(files.root, "folder"));
  symlinkSync("../project-evil/f", join(files.root, "file"));
  symlinkSync("../project-evil/new", join(files.root, "dangling"));
  const use = async (how: string, path: string) => {
    const [tool, input] = uses[how]?.(path) ?? ["", {}];
    return files.call(tool, input);
  };
  return { ...files, evil, use };
}

const escapes = [
  ...["../project-evil/f", "src/../../project-evil/f", "/etc/passwd", "//etc/passwd", "..\\f", "\\\\host\\share\\f"],
  ...["C:f", "c:/f", "f::$DATA", "f.", "f ", "src./a.ts", "%2e%2e/f", "..%2fproject-evil", "~/f", "~root/f"],
  ...["f\u0000.ts", "f\n", "con", "nul.txt", "COM1", "a/aux.c", "x".repeat(256), `${"d/".repeat(600)}f`, "\ud800"],
  ...["folder/f", "folder/new", "file", "dangling", "folder"],
];

describe("D01 D02 D03 D04 D10 no way out of the execution's folder", () => {
  test.each(Object.keys(uses))("%s", async (how) => {
    const { use, evil, root, repository, noted } = neighbourhood();
    for (const path of escapes) {
      const answer = await use(how, path);
      expect(answer, JSON.stringify(path)).toHaveProperty("code");
      expect(["VALIDATION_ERROR", "PERMISSION_DENIED", "NOT_FOUND", "CONFLICT_ERROR"]).toContain(answer["code"]);
      const said = JSON.stringify(answer);
      expect(said).not.toContain("secret");
      expect(said).not.toContain(repository);
    }
    expect(noted).toEqual([]);
    expect(readdirSync(evil)).toEqual(["f"]);
    expect(readdirSync(root).sort()).toEqual([".git", "dangling", "f", "file", "folder", "src"]);
  });
});

const protectedNames = [
  ...[".git/config", ".GIT/hooks/pre-commit", ".git /x", "git~1/config", ".g\u200cit/config", "sub/.git/hooks/x"],
  ...[".gitmodules", ".forge/forge.db", ".fractary/config", ".mcp.json", ".MCP.JSON", ".claude/settings.json"],
  ...[".cursor/mcp.json", ".vscode/tasks.json", ".idea/x", ".bashrc", "a/.zshrc", "_bmad/_config/cc-verify.sh"],
  ...[".npmrc", ".husky/pre-commit", ".envrc", ".ssh/authorized_keys"],
];

describe("D08 protected names, also where they do not exist", () => {
  test.each(changes)("%s", async (how) => {
    const { use, root, noted } = neighbourhood();
    for (const path of protectedNames) {
      const { code } = await use(how, path);
      expect(code, path).toMatch(/^(?:PERMISSION_DENIED|VALIDATION_ERROR)$/);
    }
    expect(noted).toEqual([]);
    expect(readdirSync(root).sort()).toEqual([".git", "dangling", "f", "file", "folder", "src"]);
  });

  test("the same content is refused as well, and so is reading what is private", async () => {
    const { use, root } = neighbourhood();
    writeFileSync(join(root, ".mcp.json"), "x");
    writeFileSync(join(root, ".netrc"), "machine a");
    expect(await use("write", ".mcp.json")).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await use("read", ".mcp.json")).toMatchObject({ content: "x" });
    for (const how of ["read", "read as bytes", "list", "search"])
      for (const path of [".netrc", ".git/config", ".Git", ".git/hooks"])
        expect(await use(how, path)).toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

describe("D07 what is no regular file", () => {
  testWith(["posix"], "a FIFO and a folder are refused at once", async () => {
    const { use, root } = neighbourhood();
    makeFifo(root, "pipe");
    for (const how of ["read", "read as bytes", ...changes])
      for (const path of ["pipe", "src"]) expect(await use(how, path), `${how} ${path}`).toHaveProperty("code");
    expect(await use("search", "pipe")).toMatchObject({ total: 0 });
    expect(await use("list", "pipe")).not.toHaveProperty("code");
  });
});

describe("D05 a folder swapped with a link outwards all the time", () => {
  async function battlefield() {
    const { root, call, evil } = neighbourhood();
    mkdirSync(join(root, "work"));
    writeFileSync(join(root, "work", "f"), "ours a\n");
    await race(join(root, "work"), join(root, "folder"));
    return { root, evil, call };
  }

  testWith(["python"], "is never read through the link", async () => {
    const { call } = await battlefield();
    const counts = await outcomes(raceMs, async () => {
      const { content } = await call("forge_read_file", { file_path: "work/f" });
      return typeof content === "string" ? content : "refused";
    });
    expect(Object.keys(counts).sort()).toEqual(["ours a\n", "refused"]);
  });

  testWith(["python"], "is never searched through the link", async () => {
    const { call } = await battlefield();
    const counts = await outcomes(raceMs, async () => {
      const { matches = [] } = await call("forge_search_files", { query: "secret|ours", regex: true });
      return JSON.stringify(matches).includes("secret") ? "leaked" : "kept";
    });
    expect(counts).not.toHaveProperty("leaked");
  });

  testWith(["python"], "is never written through the link", async () => {
    const { call, evil } = await battlefield();
    let count = 0;
    const counts = await outcomes(raceMs, async () => {
      const file_path = count++ % 2 ? "work/f" : `work/new-${count % 5}`;
      const { status } = await call("forge_write_file", { file_path, content: `ours ${count}\n` });
      return String(status ?? "refused");
    });
    expect(Object.keys(counts).sort()).toEqual(["refused", "success"]);
    expect(readdirSync(evil)).toEqual(["f"]);
    expect(readFileSync(join(evil, "f"), "utf8")).toBe("secret a\n");
  });
});
