import { Git } from "../../../src/platform/git/git.ts";
import { makeSandbox } from "./git.ts";

/** A repository to commit in, with a few files. */
export function committingSandbox() {
  const sandbox = makeSandbox();
  const project = sandbox.repository("project", {
    "file.txt": "one\n",
    "other.txt": "one\n",
    "old.txt": "one\n",
    ".gitignore": "*.log\n",
  });
  return { sandbox, project, work: new Git(sandbox).work(project) };
}
