import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { makeSandbox, writeFiles } from "../../../../test/harness/git/git.ts";
import { mayBeArmed } from "./armed-config.ts";
import { findGit } from "./find-git.ts";
import { armedSections } from "./hardening.ts";
import { locateRepository, type RepositoryLocation } from "./locate-repository.ts";

function open() {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const project = sandbox.repository("project", { "a.txt": "one\n" });
  sandbox.git(project, "remote", "add", "origin", "https://example.org/project.git");
  sandbox.git(project, "config", "branch.main.merge", "refs/heads/main");
  const location = locateRepository(project) as RepositoryLocation;
  const program = findGit(sandbox.environment, project);
  const { HOME = "" } = sandbox.environment;
  const isArmed = (more: Record<string, string> = {}) =>
    mayBeArmed(location, program, { ...sandbox.environment, ...more });
  return { ...sandbox, project, HOME, isArmed };
}

test.runIf(process.platform === "linux")("a repository whose configuration names no program needs no question", () => {
  const { isArmed, HOME, project, git } = open();
  expect(isArmed()).toBe(false);
  symlinkSync(join(project, "a.txt"), join(HOME, "elsewhere"));
  expect(isArmed({ XDG_CONFIG_HOME: join(HOME, "none") })).toBe(false);
  git(project, "config", "filter.x.clean", "evil");
  expect(isArmed()).toBe(true);
});

test.each([
  ["project/.git/config", 'a\n[FILTER "x"] clean = evil\n'],
  ["project/.git/config.worktree", '[merge "x"]\n driver = evil\n'],
  ["home/.gitconfig", "[include]\n path = other\n"],
  ["home/.config/git/config", '[includeIf "gitdir:~/"]\n path = other\n'],
  ["home/.config/git/config", `[hook "x"]\n${"#".repeat(8)}\n`],
  ["home/.gitconfig", "#".repeat(70_000)],
])("%s can name a program", (file, text) => {
  const { root, isArmed } = open();
  writeFiles(root, { [file]: text });
  expect(isArmed()).toBe(true);
});

test("so can a configuration behind a link, and one from the environment", () => {
  const { root, HOME, isArmed, project } = open();
  writeFiles(root, { "dotfiles/config": '[filter "x"]\n clean = evil\n' });
  expect(isArmed({ GIT_CONFIG_COUNT: "1" })).toBe(true);
  writeFileSync(join(project, "x"), "");
  symlinkSync(join(root, "dotfiles"), join(HOME, ".config"));
  writeFiles(root, { "dotfiles/git/config": '[filter "x"]\n clean = evil\n' });
  expect(isArmed()).toBe(true);
});

test("wherever git finds one, whatever the file looks like", () => {
  const { isArmed, project, git } = open();
  const file = join(project, ".git", "config.worktree");
  git(project, "config", "extensions.worktreeConfig", "true");
  const piece = fc.constantFrom(
    ...'[filter "x"]|[ filter "x"]|[FILTER\t"x"]|[filter.x]|[merge "a\\"b"]|[hook "]"]|[branch "filter"]|[a]|['.split(
      "|",
    ),
    ...' clean = a|\tdriver = \\\n b|merge = c|command = d|# [filter "x"]|; x|\r|]|"| |\ufeff'.split("|"),
  );
  const lines = fc.array(fc.tuple(piece, fc.constantFrom("\n", " ", "", "\r\n")), { maxLength: 6 });
  fc.assert(
    fc.property(lines, (parts) => {
      writeFileSync(file, parts.flat().join(""));
      let found = "";
      try {
        found = git(project, "config", "--includes", "--name-only", "--get-regexp", armedSections);
      } catch {
        // None, or a file that git refuses to read.
      }
      if (found !== "") expect(isArmed()).toBe(true);
    }),
    { numRuns: 150 },
  );
});
