import { ForgeError } from "../../../kernel/errors.ts";
import { showPath } from "../../files/root/relative-path.ts";

const maxPathLength = 4096;

const refusals: [why: string, test: (path: string, parts: string[]) => boolean][] = [
  ["is empty", (_, parts) => parts.length === 0],
  [`is longer than ${maxPathLength} characters`, (path) => path.length > maxPathLength],
  ["contains a NUL character", (path) => path.includes("\0")],
  ["is absolute", (path) => path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)],
  ["contains ..", (_, parts) => parts.includes("..")],
  ["names a folder", (path) => path.endsWith("/")],
  ["is inside git's own folder", (_, parts) => parts.some(isGitFolder)],
];

/** A path from a caller, as git names it: relative to the root of the work tree. Only slashes have a meaning in it. */
export function requireLiteralPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const refusal = refusals.find(([, test]) => test(path, parts));
  if (!refusal) return parts.join("/");
  throw refusedPath(path, refusal[0]);
}

export function refusedPath(path: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The path ${showPath(path)} ${why}.`, {
    details: { path: path.slice(0, 200) },
    next: ["Give the paths of single files from the root of the work tree: src/main.ts."],
  });
}

/** In every spelling that some file system accepts for it. */
function isGitFolder(part: string): boolean {
  return /^(?:\.git|git~\d)[. ]*$/i.test(part.replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}
