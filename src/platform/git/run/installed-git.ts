import { run } from "../../exec/run.ts";
import { childEnvironment } from "../../host/environment.ts";
import { findGit } from "./find-git.ts";
import { requireVersion } from "./version.ts";

/** The git that would be used for a folder, with its version. Throws a ForgeError where there is none, or it is too old. */
export async function findInstalledGit(folder: string, signal: AbortSignal, environment = childEnvironment()) {
  const { path, searchPath } = findGit(environment, folder);
  const ask = () => run(path, ["--version"], { cwd: folder, env: { ...environment, PATH: searchPath }, signal });
  const { stdout } = await ask();
  await requireVersion(async () => ({ stdout }), path);
  return {
    path,
    version: stdout
      .toString()
      .replace(/^git version /, "")
      .trim(),
  };
}
