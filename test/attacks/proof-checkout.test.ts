import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProofProject, rightSum, sumTest } from "../harness/rooms/proof/proof-project.ts";

async function openStarted(more: Record<string, string> = {}): Promise<{ project: ProofProject; id: string }> {
  const project = await ProofProject.open({ "test/sum.test.js": sumTest, ...more });
  const id = await project.ticket();
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  return { project, id };
}

/** Git writes the id of the content there: the code is another than the one in the commit. */
const ident = "src/sum.js ident\n";
const wrongUntilConverted = 'export const sum = () => ("$Id$".length > 4 ? 4 : 5);\n';

test("what is outside the commit does not change the files that are proven", async () => {
  const { project, id } = await openStarted();
  await project.change(id, { "src/sum.js": wrongUntilConverted });
  expect(await project.json(["verify", id])).toMatchObject({ criteria: [{ state: "failed" }] });
  project.write(".git/info/attributes", ident);
  const { code, err } = await project.run(["verify", id]);
  expect(code).not.toBe(0);
  expect(err).toContain("info/attributes converts files");
  expect(await project.json(["proof", id])).toMatchObject({ criteria: [{ state: "failed" }] });
});

test("attributes that the work brings prove nothing of what they convert; line ends may differ", async () => {
  const { project, id } = await openStarted({ ".gitattributes": "*.bat text eol=crlf\n", "run.bat": "echo\n" });
  project.write(".git/info/attributes", "*.png diff=image\n");
  for (const setting of ["core.autocrlf true", "core.eol crlf", "core.symlinks false"])
    project.git("config", ...setting.split(" "));
  await project.change(id, { "src/sum.js": rightSum, ".gitattributes": "*.bat text eol=crlf\n*.cmd text eol=crlf\n" });
  expect(await project.json(["verify", id])).toMatchObject({ criteria: [{ state: "proven" }] });
  await project.change(id, { "src/sum.js": wrongUntilConverted, ".gitattributes": ident });
  const why = expect.stringContaining("src/sum.js is not checked out as it is in the commit");
  expect(await project.json(["verify", id])).toMatchObject({ criteria: [{ state: "unproven", why }] });
});

test("a file that a check leaves behind is not in the commit", async () => {
  const { project, id } = await openStarted({ ".gitignore": ".forge/\nmade.txt\n" });
  await project.do(["check", "add", id, "AC-1", "--file", "made.txt"]);
  const making = `import { writeFileSync } from "node:fs";\nwriteFileSync("made.txt", "");\n${rightSum}`;
  await project.change(id, { "src/sum.js": making });
  const checks = expect.arrayContaining([
    expect.objectContaining({ id: "C-2", state: "failed", why: "made.txt is not in the commit." }),
  ]);
  expect(await project.json(["verify", id])).toMatchObject({ criteria: [{ state: "failed", checks }] });
});

test("links stay links, whatever the configuration says", async () => {
  const { project, id } = await openStarted();
  const look =
    'import { lstatSync } from "node:fs";\nexport const sum = () => lstatSync("l").isSymbolicLink() ? 4 : 5;\n';
  await project.do(["start", id]);
  project.write("src/sum.js", look);
  execFileSync("ln", ["-s", "src", "l"], { cwd: project.root });
  project.git("add", "-A");
  project.git("commit", "-qm", "Link");
  project.git("config", "core.symlinks", "false");
  expect(await project.json(["verify", id])).toMatchObject({ criteria: [{ state: "proven" }] });
});

test("a folder that was swapped in git's store is not taken for the commit's", async () => {
  const { project, id } = await openStarted();
  await project.change(id, { "src/sum.js": "export const sum = () => 5;\n" });
  const wrong = project.git("rev-parse", "HEAD:src").trim();
  project.write("src/sum.js", rightSum);
  project.git("add", "-A");
  const right = project.git("rev-parse", `${project.git("write-tree").trim()}:src`).trim();
  project.git("reset", "-q", "--hard");
  const place = (tree: string) => join(project.root, ".git/objects", tree.slice(0, 2), tree.slice(2));
  mkdirSync(join(project.root, ".git/objects", wrong.slice(0, 2)), { recursive: true });
  chmodSync(place(wrong), 0o644);
  copyFileSync(place(right), place(wrong));
  const { code, err } = await project.run(["verify", id]);
  expect(code).not.toBe(0);
  expect(err).toContain("could not be checked out as it is");
});
