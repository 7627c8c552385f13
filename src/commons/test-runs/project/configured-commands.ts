import { isAbsolute, posix } from "node:path";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { packageScriptRunnables } from "../../trust/package-scripts.ts";
import type { Runnable } from "../../trust/runnable.ts";
import { readWorkbenchFile } from "./workbench-file.ts";

const packageManagers = new Set(["npm", "pnpm", "yarn", "bun"]);
const installCommands = new Set(["ci", "install", "i", "clean-install"]);
const installScripts = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
const interpreters = new Set(["sh", "bash", "dash", "zsh", "node", "python", "python3", "ruby", "perl", "make"]);

/** What a person must have trusted for the project's own commands to run, where it has any. */
export function listConfiguredRunnables(root: string): { testCommand?: Runnable[]; setupCommand?: Runnable[] } {
  const { testCommand, setupCommand } = readWorkbenchFile(root);
  return {
    ...(testCommand && { testCommand: listCommandRunnables(root, "workbench:testCommand", testCommand) }),
    ...(setupCommand && { setupCommand: listCommandRunnables(root, "workbench:setupCommand", setupCommand) }),
  };
}

/** The words, and what of the project they obviously run: a script of package.json, or a file. */
export function listCommandRunnables(root: string, id: string, words: readonly string[]): Runnable[] {
  const script = findScriptFile(root, words);
  return [
    { id, command: words },
    ...packageScriptRunnables(root, listPackageScripts(words)),
    ...(script === undefined ? [] : [{ id: `script:${script}`, file: script }]),
  ];
}

function listPackageScripts([program = "", first = "", second = ""]: readonly string[]): string[] {
  if (!packageManagers.has(program)) return [];
  if (installCommands.has(first) || first === "") return installScripts;
  const name = first === "run" || first === "run-script" ? second : first === "t" ? "test" : first;
  return [`pre${name}`, name, `post${name}`];
}

function findScriptFile(root: string, [program = "", ...words]: readonly string[]): string | undefined {
  const named = interpreters.has(program) ? (words.find((word) => !word.startsWith("-")) ?? "") : program;
  if (isAbsolute(named) || (!interpreters.has(program) && !named.includes("/"))) return undefined;
  const path = posix.normalize(named);
  return path !== "." && !path.startsWith("..") && entryAt(posix.join(root, path)) ? path : undefined;
}
