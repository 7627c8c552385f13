import { ForgeError } from "../../../kernel/errors.ts";
import { run } from "../../exec/run.ts";
import { toText } from "../../exec/to-text.ts";
import { childEnvironment } from "../../host/environment.ts";
import { findGit } from "../run/find-git.ts";

/** Makes an empty repository in a folder, whose branch is `main`. Where git does not know the user, commits there get this name. */
export async function createRepository(folder: string, fallback: { name: string; email: string }, signal: AbortSignal) {
  const environment = childEnvironment();
  const { path, searchPath } = findGit(environment, folder);
  const env = { ...environment, PATH: searchPath, LC_ALL: "C" };
  const git = (...args: string[]) => run(path, args, { cwd: folder, env, signal });
  const made = await git("-c", "init.templateDir=", "init", "--quiet", "--initial-branch=main");
  if (made.code !== 0) {
    throw new ForgeError(
      "DEPENDENCY_ERROR",
      `git could not make a repository in ${folder}: ${toText(made.stderr).trim()}`,
    );
  }
  if ((await git("var", "GIT_COMMITTER_IDENT")).code === 0) return;
  await git("config", "user.name", fallback.name);
  await git("config", "user.email", fallback.email);
}
