import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CliProject } from "../harness/cli/cli.ts";

/** A clone that has programs with the names of parsers, in a folder that the user's shell has put on the PATH, as with `.venv/bin`. */
function openClone(files: Record<string, string>) {
  const marks = mkdtempSync(join(tmpdir(), "forge-marks-"));
  onTestFinished(() => rmSync(marks, { recursive: true, force: true }));
  const names = ["python3", "bash", "sh", "gofmt", "rustfmt", "java", "mktemp", "cat"];
  const programs = names.map((name): [string, string] => [
    `.venv/bin/${name}`,
    `#!/bin/sh\n: > '${join(marks, "ran")}'\n`,
  ]);
  const project = new CliProject({ ...files, ...Object.fromEntries(programs) });
  for (const [path] of programs) chmodSync(join(project.root, path), 0o755);
  const { PATH = "" } = process.env;
  process.env["PATH"] = [join(project.root, ".venv", "bin"), PATH].join(delimiter);
  onTestFinished(() => {
    process.env["PATH"] = PATH;
  });
  return { project, hasRun: () => existsSync(join(marks, "ran")), marks };
}

const sources = {
  "a.py": "x = 1\n",
  "b.sh": "echo\n",
  "c.go": "package c\n",
  "d.rs": "fn d() {}\n",
  "E.java": "class E {}\n",
};

test.each(["a repository", "a plain folder"])("a check of syntax runs no program of the project: %s", async (kind) => {
  const { project, hasRun } = openClone(sources);
  if (kind === "a repository") project.git("init", "-q", "-b", "main");
  await project.run("governance check");
  expect(hasRun()).toBe(false);
});

test.each(["a repository", "a plain folder"])(
  "doctor starts no git of the project from a folder inside: %s",
  async (kind) => {
    const { project, hasRun, marks } = openClone({ ".forge/config.json": "{}", "src/a.py": "x = 1\n" });
    if (kind === "a repository") project.git("init", "-q", "-b", "main");
    const git = join(project.root, ".venv/bin/git");
    writeFileSync(git, `#!/bin/sh\n: > '${join(marks, "ran")}'\n`);
    chmodSync(git, 0o755);
    const { out } = await project.run(["doctor", "--project", join(project.root, "src")]);
    expect(out).toMatch(/ok +git: /);
    expect(hasRun()).toBe(false);
  },
);

test("a check of syntax follows no link", async () => {
  const { project, marks } = openClone({ "b.sh": "echo\n" });
  project.git("init", "-q", "-b", "main");
  writeFileSync(join(marks, "outside.sh"), "if planted\n");
  symlinkSync(join(marks, "outside.sh"), join(project.root, "c.sh"));
  const { out } = await project.run("governance check");
  expect(out).toMatch(/syntax_errors +0/);
});

test("a check of syntax lets no file of the project choose the program", async () => {
  const { project, hasRun, marks } = openClone({ "a.py": "x = 1\n", ".tool-versions": "python path:.venv\n" });
  // As managers of versions do, which start what the folder names.
  writeFileSync(join(marks, "python3"), '#!/bin/sh\nif [ -f .tool-versions ]; then exec .venv/bin/python3 "$@"; fi\n');
  chmodSync(join(marks, "python3"), 0o755);
  process.env["PATH"] = [marks, process.env["PATH"]].join(delimiter);
  const { out } = await project.run("governance check");
  expect(out).toMatch(/syntax_errors +0/);
  expect(hasRun()).toBe(false);
});

test.runIf(existsSync("/usr/bin/prlimit"))(
  "a file that has a parser read without end does not take the machine's memory",
  async () => {
    const { project, marks } = openClone({ "d.rs": '#[path = "/dev/zero"]\nmod x;\n' });
    writeFileSync(join(marks, "rustfmt"), `#!/bin/sh\nulimit -d > '${join(marks, "limit")}'\n`);
    chmodSync(join(marks, "rustfmt"), 0o755);
    process.env["PATH"] = [marks, process.env["PATH"]].join(delimiter);
    await project.run("governance check");
    expect(Number(readFileSync(join(marks, "limit"), "utf8"))).toBeLessThanOrEqual(4_096 * 1_024);
  },
);
