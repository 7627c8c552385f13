import { expect, test } from "vitest";
import { CliProject } from "../../../../test/harness/cli/cli.ts";

test("forge repository shows the branch, the changes by kind and the files by folder", async () => {
  const project = new CliProject({ "README.md": "# Hello\n", "src/a.ts": "", "src/b/c.ts": "", "a b.ts": "" });
  project.git("init", "-q", "-b", "main");
  expect((await project.run("repository")).out).toContain("Changes:\n  untracked (");
  project.git("add", ".");
  project.git("commit", "-qm", "First");
  expect((await project.run("repository")).out).toContain("Changes: none\n");
  project.write("a b.ts", "changed");
  for (let index = 0; index < 15; index++) project.write(`new-${String(index).padStart(2, "0")}`, "");
  const { out } = await project.run("repository");
  expect(out).toContain("Branch:  main\n");
  expect(out).toContain("  modified (1)\n    a b.ts\n");
  expect(out).toMatch(/ {2}untracked \(15\)\n {4}new-00\n/);
  expect(out).toContain("    new-09\n    and 5 more\n");
  expect(out).toContain("Files:\n");
  expect(out).toContain("  src/ (2)\n");
  expect((await project.run("repository --json")).json()).toMatchObject({
    branch: "main",
    status: { modified: ["a b.ts"], staged: [] },
  });
});

test("a repository without commits has no files, and a branch's name cannot drive the terminal", async () => {
  const project = new CliProject();
  project.git("init", "-q", "-b", "main\u202e");
  const { out } = await project.run("repository");
  expect(out).toContain("Changes: none\nFiles:   none");
  expect(out).not.toContain("\u202e");
});
