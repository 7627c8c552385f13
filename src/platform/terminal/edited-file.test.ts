import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { EditedFile, editorCommand } from "./edited-file.ts";

function makeFolder(programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-editor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of programs) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

describe("editorCommand", () => {
  it("takes VISUAL before EDITOR before what is usually there", () => {
    const PATH = makeFolder(["nano", "vi", "mine", "other"]);
    expect(editorCommand({ PATH, VISUAL: "mine -w", EDITOR: "other" }, "/")).toEqual(["mine", "-w"]);
    expect(editorCommand({ PATH, VISUAL: " ", EDITOR: "other" }, "/")).toEqual(["other"]);
    expect(editorCommand({ PATH }, "/")).toEqual(["nano"]);
    expect(editorCommand({ PATH: makeFolder(["vi"]) }, "/")).toEqual(["vi"]);
  });

  it("takes a path with blanks as it is where there is such a program", () => {
    const editor = join(makeFolder(["my editor/ed"]), "my editor/ed");
    expect(editorCommand({ PATH: "", EDITOR: editor }, "/")).toEqual([editor]);
    expect(editorCommand({ PATH: "", EDITOR: `"${editor}" -x` }, "/")).toEqual([editor, "-x"]);
  });

  it("names the variable whose editor is not there, and how to set one where there is none", () => {
    const PATH = makeFolder([]);
    expect(() => editorCommand({ PATH, EDITOR: "nowhere --wait" }, "/")).toThrow(
      "The editor in EDITOR was not found: nowhere.",
    );
    expect(() => editorCommand({ PATH }, "/")).toThrow("No editor was found");
  });

  it("finds nothing in the current folder", () => {
    const cwd = makeFolder(["vi"]);
    expect(() => editorCommand({ PATH: `.:${makeFolder([])}` }, cwd)).toThrow("No editor was found");
  });
});

describe("EditedFile", () => {
  it("is a file that only its owner can read, in a folder that only they can enter, named after the ticket", async () => {
    const file = await EditedFile.create("../T-001/x", "text", { cwd: "/", env: { PATH: makeFolder(["vi"]) } });
    onTestFinished(() => file.remove());
    expect(basename(file.path)).toBe("---T-001-x.md");
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file.path)).mode & 0o777).toBe(0o700);
    expect(readFileSync(file.path, "utf8")).toBe("text");
  });

  it("goes with all that is beside it", async () => {
    const file = await EditedFile.create("T-001", "text", { cwd: "/", env: { PATH: makeFolder(["vi"]) } });
    const beside = await file.layBeside("T-001-now", "other");
    expect(dirname(beside)).toBe(dirname(file.path));
    writeFileSync(`${file.path}~`, "an editor's copy");
    await file.remove();
    expect(existsSync(dirname(file.path))).toBe(false);
  });
});
