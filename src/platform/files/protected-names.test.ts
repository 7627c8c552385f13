import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultFolder } from "../../../test/harness/faults/faults.ts";
import { PlainFiles } from "./plain-files.ts";
import { isReadable } from "./protected-names.ts";
import { SafeRoot } from "./root/safe-root.ts";
import { Trash } from "./trash/trash.ts";

const denied = expect.objectContaining({ code: "PERMISSION_DENIED" });

const protectedPaths = [
  ".git",
  ".git/hooks/pre-commit",
  ".GIT/config",
  "sub/.Git/config",
  "git~1/config",
  "GIT~1",
  ".g\u200cit/config",
  ".\ufeffgit/config",
  "．ｇｉｔ/config",
  ".gitmodules",
  ".GITMODULES",
  "sub/.gitmodules",
  "gitmod~1",
  ".gitconfig",
  ".forge/forge.db",
  ".fractary/config.json",
  ".mcp.json",
  "packages/a/.mcp.json",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".claude/commands/x.md",
  ".claude/agents/x.md",
  ".claude/hooks/x.sh",
  ".Claude/Settings.json",
  ".cursor/mcp.json",
  ".vscode/tasks.json",
  ".idea/workspace.xml",
  ".devcontainer/devcontainer.json",
  ".husky/pre-commit",
  ".bashrc",
  ".zshenv",
  ".profile",
  ".config/fish/config.fish",
  ".envrc",
  ".npmrc",
  "packages/a/.npmrc",
  ".yarnrc.yml",
  "_bmad/_config/cc-verify.sh",
  "_BMAD/_Config/x",
  ".ssh/authorized_keys",
];

describe("D08 protected names", () => {
  test.each(protectedPaths)("%j is not created, not even where it is absent", async (path) => {
    const folder = faultFolder();
    await expect(SafeRoot.at(folder).write(path, "x")).rejects.toEqual(denied);
    await expect(SafeRoot.at(folder).write(path, "x", { state: "absent" })).rejects.toEqual(denied);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(protectedPaths)("%j is not changed and not deleted", async (path) => {
    const folder = faultFolder();
    const file = path === ".git" || path === "GIT~1" ? `${path}/config` : path;
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), "old");
    const root = SafeRoot.at(folder);
    await expect(root.write(file, "x", { state: "present" })).rejects.toEqual(denied);
    await expect(root.delete(file, new Trash(join(folder, "state")))).rejects.toEqual(denied);
  });

  test.each([
    ".gitignore",
    ".github/workflows/ci.yml",
    ".gitattributes",
    "git/config",
    "docs/.git-notes.md",
    "_bmad/agents/x.md",
    "_config/x",
    "profile",
    ".env.example",
    "claude/settings.json",
  ])("%j is a file like any other", async (path) => {
    const root = SafeRoot.at(faultFolder());
    await root.write(path, "x");
    expect((await root.readText(path)).text).toBe("x");
  });

  const secretFiles = [
    ...[".env", ".env.local", ".ENV.production", "app/.env-staging", ".env.", ".e\u200cnv", "．env"],
    ...["_netrc", "pgpass.conf", ".pgpass", ".npmrc", "id_rsa", "keys/ID_ED25519", "kubeconfig", ".vault-token"],
    ...[".netrc", ".git-credentials", ".pypirc", ".docker/config.json", ".kube/config", ".config/gh/hosts.yml"],
  ];

  test.each(secretFiles)("the content of %j is not shown, also through a link", async (path) => {
    const folder = faultFolder();
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "DB_PASSWORD=hunter2");
    symlinkSync(path, join(folder, "notes.txt"));
    const root = SafeRoot.at(folder);
    const refused = expect.objectContaining({ code: expect.stringMatching(/PERMISSION_DENIED|VALIDATION_ERROR/) });
    for (const name of [path, "notes.txt"]) await expect(root.readText(name)).rejects.toEqual(refused);
    expect(isReadable(path)).toBe(false);
    expect(new PlainFiles(folder).read(path, 1_000)).toBeUndefined();
  });

  test.each([".env.example", ".env.template", ".envrc.md", "id_rsa.pub", "env", "kubeconfig.go", "_netrc.md"])(
    "%j is shown",
    async (path) => {
      const folder = faultFolder();
      writeFileSync(join(folder, path), "x");
      expect((await SafeRoot.at(folder).readText(path)).text).toBe("x");
      expect(isReadable(path)).toBe(true);
    },
  );

  test("a protected folder cannot be reached under another name", async () => {
    const folder = faultFolder();
    mkdirSync(join(folder, ".husky"));
    symlinkSync(".husky", join(folder, "docs"));
    await expect(SafeRoot.at(folder).write("docs/pre-commit", "x")).rejects.toEqual(denied);
    expect(readdirSync(join(folder, ".husky"))).toEqual([]);
  });

  test("what holds secrets is not read either, also through a link; the rest is", async () => {
    const folder = faultFolder();
    for (const name of [".git", ".forge", ".ssh", ".vscode"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "config"), "content");
    }
    symlinkSync(".git/config", join(folder, "innocent"));
    const root = SafeRoot.at(folder);
    for (const path of [".git/config", ".forge/config", ".ssh/config", "innocent"]) {
      await expect(root.read(path)).rejects.toEqual(denied);
      await expect(root.stat(path)).rejects.toEqual(denied);
    }
    await expect(root.list(".forge")).rejects.toEqual(denied);
    expect((await root.readText(".vscode/config")).text).toBe("content");
  });

  test("the part of Forge that owns a protected folder has a root of its own there", async () => {
    const folder = faultFolder();
    const own = SafeRoot.at(folder).within(".fractary");
    await own.write("agents/a.yaml", "name: a");
    expect((await own.readText("agents/a.yaml")).text).toBe("name: a");
    await expect(own.write(".git/config", "x")).rejects.toEqual(denied);
  });
});
