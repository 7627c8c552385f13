import { isAbsolute, posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { isFolder } from "../../../platform/state/project.ts";
import { isMake, listMakefiles } from "../../trust/makefiles.ts";
import {
  calledScriptRunnables,
  listSettings,
  packageScriptRunnables,
  unreadManifests,
  yarnSettings,
} from "../../trust/package-scripts.ts";
import { packageVariableRunnables } from "../../trust/package-variables.ts";
import type { Runnable } from "../../trust/runnable.ts";
import { parseScriptOrder } from "./pinned-command.ts";
import { readWorkbenchFile } from "./workbench-file.ts";

const packageManagers = new Set(["npm", "pnpm", "yarn", "bun"]);
const testCommands = new Set(["t", "tst", "it", "cit", "install-test", "install-ci-test"]);
const installCommands = new Set([
  "ci",
  "install",
  "i",
  "clean-install",
  "it",
  "cit",
  "install-test",
  "install-ci-test",
  "add",
  "update",
  "up",
  "rebuild",
  "rb",
]);
/** Of npm, those that install nothing. Its others have many names, and any beginning of one is taken for it. */
const scriptCommands = new Set(["run", "run-script", "test", "t", "tst", "start", "stop", "restart", "exec", "x"]);
const installScripts = [
  "pnpm:devPreinstall",
  "preinstall",
  "install",
  "postinstall",
  "predependencies",
  "dependencies",
  "postdependencies",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
];
const interpreters = new Set(["sh", "bash", "dash", "zsh", "node", "python", "python3", "ruby", "perl"]);

/** What a person must have trusted for the project's own commands to run, where it has any. */
export function listConfiguredRunnables(root: string): { testCommand?: Runnable[]; setupCommand?: Runnable[] } {
  const { testCommand, setupCommand } = readWorkbenchFile(root);
  const passed = listPassedVariables(root);
  return {
    ...(testCommand && {
      testCommand: [...listCommandRunnables(root, "workbench:testCommand", testCommand), ...passed],
    }),
    ...(setupCommand && {
      setupCommand: [...listCommandRunnables(root, "workbench:setupCommand", setupCommand), ...passed],
    }),
  };
}

/** Which of the variables that are withheld by default the project asks for: a person allows them like a command. */
export function listPassedVariables(root: string): Runnable[] {
  const { passEnvironment = [] } = readWorkbenchFile(root);
  return passEnvironment.length === 0 ? [] : [{ id: "workbench:passEnvironment", command: passEnvironment }];
}

/** Those of them that were checked: the file may say something else by now. */
export function findPassedVariables(checked: readonly Pick<Runnable, "id" | "command">[]): readonly string[] {
  return checked.find(({ id }) => id === "workbench:passEnvironment")?.command ?? [];
}

/** What of the project a command runs besides its own words: scripts of package.json, files, makefiles. */
export function listCheckRunnables(root: string, words: readonly string[]): Runnable[] {
  return listCommandRunnables(root, "", words).slice(1);
}

const plainWord = /^\w[\w./:@-]*$/;

/**
 * Whether a command only runs what a person has trusted by its content: a script of package.json, a target of the makefile, or
 * a file of the project. Options and code on the command line could make it run anything else, and others may have written them.
 */
export function isProjectCommand(root: string, words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  if (!rest.every((word) => plainWord.test(word) || isOwnFile(root, word))) return false;
  if (packageManagers.has(program)) {
    const isRun = rest.length === 2 && rest[0] === "run";
    const isTest = rest.length === 1 && rest[0] === "test";
    return (isRun || isTest) && packageScriptRunnables(root, rest.slice(-1)).length > 0;
  }
  if (isMake(program)) return rest.length <= 1 && listMakefiles(root, []).length > 0;
  return isOwnFile(root, interpreters.has(program) ? (rest[0] ?? "") : program.includes("/") ? program : "");
}

/** Whether a command runs the project's own tests, and nothing that somebody else chose. */
export function isTestCommand(root: string, words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  if (packageManagers.has(program)) return rest.join(" ") === "test" || rest.join(" ") === "run test";
  return isDeepStrictEqual(readWorkbenchFile(root).testCommand, words);
}

function isOwnFile(root: string, word: string): boolean {
  const path = posix.normalize(word);
  if (word === "" || word.startsWith("-") || isAbsolute(path) || path.startsWith("..")) return false;
  return entryAt(posix.join(root, path))?.isFile() === true;
}

/** More than people write in one command; that of a clone can be as long as its file. Of programs: those that run others. */
const max = { words: 5_000, programs: 20 };

/** The words, and what of the project they obviously run: a script of package.json, or a file. */
export function listCommandRunnables(root: string, id: string, words: readonly string[]): Runnable[] {
  const isShort = splitWords(words).length <= max.words;
  const calls = isShort ? listCalls(words) : [];
  if (!isShort || calls.length > max.programs)
    return [
      { id, command: words },
      { id: `command:${words[0]}`, unusable: "is too long to see what it runs" },
    ];
  const packaged = calledScriptRunnables(root, calls.flatMap(listPackageScripts));
  return [
    { id, command: words },
    // First those of the command itself.
    ...calls.filter(([program = ""]) => isMake(program)).flatMap((call) => listMakefiles(root, call)),
    ...packaged,
    ...(calls.some(([program = ""]) => packageManagers.has(program)) ? listManifests(root, splitWords(words)) : []),
    ...(packaged.length > 0 ? packageVariableRunnables(root) : []),
    ...listScriptFiles(root, words).map((file) => ({ id: `script:${file}`, file })),
    // A script that Forge starts itself is reached by no settings.
    ...(parseScriptOrder(words, root) ? [] : calls.flatMap((call) => listDefinitions(root, call))),
    // npm builds what this describes, with the commands in it.
    ...(calls.some(isInstall) ? listSettings(root, ["binding.gyp"]) : []),
  ];
}

/** What these programs run is in a file that no word names, or begins with one. */
const definitionFiles: Readonly<Record<string, readonly string[]>> = {
  npm: [".npmrc"],
  pnpm: [".npmrc", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml"],
  yarn: yarnSettings,
  bun: ["bunfig.toml"],
  ant: ["build.xml"],
  composer: ["composer.json"],
  deno: ["deno.json", "deno.jsonc"],
  inv: ["tasks.py"],
  invoke: ["tasks.py"],
  just: ["justfile", "Justfile", ".justfile"],
  nox: ["noxfile.py"],
  rake: ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"],
  task: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"],
  tox: ["tox.ini", "tox.toml"],
};

function listDefinitions(root: string, [program = ""]: readonly string[]): Runnable[] {
  return listSettings(root, Object.hasOwn(definitionFiles, program) ? (definitionFiles[program] ?? []) : []);
}

/** The words, and of code for a shell its words. */
function splitWords(words: readonly string[]): string[] {
  return words.flatMap((word) => word.split(/[\s;&|()<>"'`]+/)).filter((part) => part !== "");
}

/** The command itself, and the programs that read their orders elsewhere and come behind another: `env CI=1 npm test`, `sh -c "make test"`. */
function listCalls([program = "", ...words]: readonly string[]): string[][] {
  const parts = splitWords([program, ...words]);
  const calls = [[posix.basename(program), ...words]];
  for (const [at, part] of parts.entries()) {
    // As in `node --run test`.
    const name = part === "--run" ? "npm" : posix.basename(part);
    const isKnown = isMake(name) || Object.hasOwn(definitionFiles, name);
    if (at > 0 && isKnown && calls.length <= max.programs) calls.push([name, ...parts.slice(at + 1)]);
  }
  return calls;
}

/** Each word can be a script's name: options may come before it. */
function listPackageScripts(call: readonly string[]): string[] {
  const [program = "", ...words] = call;
  if (!packageManagers.has(program)) return [];
  const named = words.flatMap((word) => (testCommands.has(word) ? [word, "test"] : [word]));
  return [...(isInstall(call) ? installScripts : []), ...named.flatMap((word) => [`pre${word}`, word, `post${word}`])];
}

function isInstall([program = "", ...words]: readonly string[]): boolean {
  if (!packageManagers.has(program)) return false;
  const command = words.find((word) => !word.startsWith("-"));
  if (command === undefined || words.some((word) => installCommands.has(word))) return true;
  return program === "npm" && !scriptCommands.has(command);
}

/** What counts in full: a manifest that Forge cannot read, and those of folders that the words name. */
function listManifests(root: string, words: readonly string[]): Runnable[] {
  const folders = words.map((word) => posix.normalize(word.replace(/^-(?:[^=]*=|C(?=.))/, "")));
  const named = folders
    .filter((path) => path !== "." && path !== "./" && !isAbsolute(path) && !path.startsWith(".."))
    .map((path) => posix.join(path, "package.json"))
    .filter((path) => entryAt(posix.join(root, path)) !== undefined);
  return [...unreadManifests(root), ...[...new Set(named)].map((file) => ({ id: `script:${file}`, file }))];
}

/**
 * Every file of the project that the words name, also as the value of an option or in code for a shell: a script, or what is loaded
 * before it. The words of `make` are targets.
 */
function listScriptFiles(root: string, [program = "", ...words]: readonly string[]): string[] {
  if (isMake(program)) return [];
  const named = [...(program.includes("/") ? [program] : []), ...words];
  const paths = [...named, ...splitWords(named)].map((word) => posix.normalize(word.replace(/^(?:-[^=]*|\w+)=/, "")));
  const isFile = (path: string) =>
    !isAbsolute(path) &&
    !path.startsWith("..") &&
    entryAt(posix.join(root, path)) !== undefined &&
    !isFolder(posix.join(root, path));
  return [...new Set(paths.filter(isFile))];
}
