import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSandbox, type Sandbox, writeFiles } from "../../../../test/harness/git/git.ts";
import { locateRepository } from "./locate-repository.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const refused = expect.objectContaining({ code: "PERMISSION_DENIED" });

function folder(...parts: string[]): string {
  const path = join(sandbox.root, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

describe("locateRepository finds", () => {
  it("a repository, from any folder in it", () => {
    const project = sandbox.repository("project", { "a/b/c.txt": "" });
    const gitDir = join(project, ".git");
    const location = { workTree: project, gitDir, commonDir: gitDir, mainWorkTree: project };
    expect(locateRepository(project)).toEqual(location);
    expect(locateRepository(join(project, "a", "b"))).toEqual(location);
  });

  it("nothing outside a repository, or where there is no folder", () => {
    expect(locateRepository(folder("plain"))).toBeUndefined();
    expect(locateRepository(join(sandbox.root, "absent"))).toBeUndefined();
  });

  it("the repository around a folder that only looks like one", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    mkdirSync(join(project, "sub", ".git"), { recursive: true });
    expect(locateRepository(join(project, "sub"))?.workTree).toBe(project);
  });

  it("a linked work tree and its main one", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", linked);
    expect(locateRepository(linked)).toEqual({
      workTree: linked,
      gitDir: join(project, ".git", "worktrees", "linked"),
      commonDir: join(project, ".git"),
      mainWorkTree: project,
    });
  });

  it("a linked work tree with relative links, as newer gits write them", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", linked);
    writeFileSync(join(linked, ".git"), "gitdir: ../project/.git/worktrees/linked\n");
    writeFileSync(join(project, ".git", "worktrees", "linked", "gitdir"), "../../../../linked/.git\n");
    expect(locateRepository(linked)?.mainWorkTree).toBe(project);
  });

  it("a linked work tree of a bare repository, which has no main one", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    sandbox.git(sandbox.root, "clone", "--quiet", "--bare", project, "bare");
    const linked = join(sandbox.root, "linked");
    sandbox.git(join(sandbox.root, "bare"), "worktree", "add", "--quiet", linked);
    expect(locateRepository(linked)).toMatchObject({ commonDir: join(sandbox.root, "bare"), mainWorkTree: undefined });
  });

  it("a submodule, also in a linked work tree", () => {
    const inner = sandbox.repository("inner", { "a.txt": "" });
    const project = sandbox.repository("project", { "b.txt": "" });
    sandbox.git(project, "submodule", "--quiet", "add", inner, "sub");
    sandbox.git(project, "commit", "--quiet", "--message", "sub");
    const gitDir = join(project, ".git", "modules", "sub");
    const workTree = join(project, "sub");
    expect(locateRepository(workTree)).toEqual({ workTree, gitDir, commonDir: gitDir, mainWorkTree: workTree });
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", linked);
    sandbox.git(linked, "submodule", "--quiet", "update", "--init");
    expect(locateRepository(join(linked, "sub"))?.workTree).toBe(join(linked, "sub"));
  });
});

describe("locateRepository refuses", () => {
  it("a git file that claims another folder's work tree entry", () => {
    const victim = sandbox.repository("victim", { "a.txt": "" });
    sandbox.git(victim, "worktree", "add", "--quiet", join(sandbox.root, "linked"));
    const evil = folder("evil");
    writeFileSync(join(evil, ".git"), readFileSync(join(sandbox.root, "linked", ".git")));
    expect(() => locateRepository(evil)).toThrow(refused);
  });

  it("a made-up work tree entry with another project's common directory", () => {
    const victim = sandbox.repository("victim", { "a.txt": "" });
    const evil = folder("evil");
    writeFiles(evil, {
      ".git": "gitdir: fake/worktrees/x\n",
      "fake/worktrees/x/commondir": `${join(victim, ".git")}\n`,
      "fake/worktrees/x/gitdir": `${join(evil, ".git")}\n`,
      "fake/worktrees/x/HEAD": "ref: refs/heads/main\n",
    });
    expect(() => locateRepository(evil)).toThrow(refused);
  });

  it("a git file that names another project's git directory, or none", () => {
    const victim = sandbox.repository("victim", { "a.txt": "" });
    const evil = folder("evil");
    for (const content of [
      `gitdir: ${join(victim, ".git")}\n`,
      "gitdir: absent\n",
      "gitdir: \n",
      "",
      "x".repeat(100_000),
    ]) {
      writeFileSync(join(evil, ".git"), content);
      expect(() => locateRepository(evil)).toThrow(refused);
    }
  });

  it("a moved work tree, and says how it is mended", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    sandbox.git(project, "worktree", "add", "--quiet", join(sandbox.root, "linked"));
    renameSync(join(sandbox.root, "linked"), join(sandbox.root, "moved"));
    expect(() => locateRepository(join(sandbox.root, "moved"))).toThrow(
      expect.objectContaining({ next: expect.arrayContaining([expect.stringContaining("worktree repair")]) }),
    );
  });

  /** A submodule whose git directory is crafted: Forge and git must not read its files differently. */
  function openSubmodule() {
    const inner = sandbox.repository("inner", { "a.txt": "" });
    const project = sandbox.repository("project", { "b.txt": "" });
    sandbox.git(project, "submodule", "--quiet", "add", inner, "sub");
    const modules = join(project, ".git", "modules");
    return { sub: join(project, "sub"), modules, gitDir: join(modules, "sub") };
  }

  it.each([
    ["longer than Forge reads", Buffer.from(`other${"\n".repeat(9_000)}`)],
    ["not UTF-8", Buffer.from("other\xff\n", "latin1")],
    ["empty", Buffer.from("")],
  ])("a submodule that borrows another repository's directory in a file that is %s", (_, content) => {
    const { sub, gitDir } = openSubmodule();
    expect(locateRepository(sub)?.workTree).toBe(sub);
    writeFileSync(join(gitDir, "commondir"), content);
    expect(() => locateRepository(sub)).toThrow(refused);
  });

  it("or in a link within its directory", () => {
    const { sub, gitDir } = openSubmodule();
    writeFileSync(join(gitDir, "description"), `${sandbox.root}\n`);
    symlinkSync("description", join(gitDir, "commondir"));
    expect(() => locateRepository(sub)).toThrow(refused);
  });

  it.runIf(process.platform === "linux")(
    "a git directory whose name is not UTF-8, beside one that looks like it",
    () => {
      const { sub, modules, gitDir } = openSubmodule();
      const odd = Buffer.concat([Buffer.from(join(modules, "x")), Buffer.from([0xff])]);
      renameSync(gitDir, odd);
      cpSync(join(sandbox.root, "inner", ".git"), join(modules, "x\ufffd"), { recursive: true });
      writeFileSync(join(sub, ".git"), Buffer.concat([Buffer.from("gitdir: "), odd, Buffer.from("\n")]));
      expect(() => locateRepository(sub)).toThrow(refused);
      symlinkSync(odd, gitDir);
      writeFileSync(join(sub, ".git"), `gitdir: ${gitDir}\n`);
      expect(() => locateRepository(sub)).toThrow(refused);
    },
  );

  it("a submodule's git file outside its superproject", () => {
    const inner = sandbox.repository("inner", { "a.txt": "" });
    const project = sandbox.repository("project", { "b.txt": "" });
    sandbox.git(project, "submodule", "--quiet", "add", inner, "sub");
    const evil = folder("evil");
    writeFileSync(join(evil, ".git"), `gitdir: ${join(project, ".git", "modules", "sub")}\n`);
    expect(() => locateRepository(evil)).toThrow(refused);
  });
});
