import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const filesPerFolder = 100;

/** A repository with this many committed files, a few of them modified, and one untracked file. */
export function makeRepository(folder: string, files: number, env: Record<string, string>): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  mkdirSync(folder);
  git("init", "--quiet");
  for (let index = 0; index < files; index++) writeFile(folder, index, `export const value = ${index};\n`);
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  git("add", "--all");
  git(...author, "commit", "--quiet", "--message", "first");
  for (let index = 0; index < Math.min(files, 5); index++) writeFile(folder, index, "// changed\n");
  writeFileSync(join(folder, "untracked.ts"), "// new\n");
  // git reads files that are as new as the index on every status; this status refreshes the index.
  git("status", "--short");
  return folder;
}

function writeFile(root: string, index: number, text: string): void {
  const folder = join(root, "src", `part-${Math.floor(index / filesPerFolder)}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `file-${index}.ts`), text);
}
