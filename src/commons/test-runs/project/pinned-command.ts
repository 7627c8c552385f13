import { delimiter, dirname, join, posix } from "node:path";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { realPlace } from "../../../platform/files/real-place.ts";
import { isOwnedByUser } from "../../../platform/host/permissions.ts";
import { readPinned } from "../../../platform/state/pinned-file.ts";
import { writeTemporaryFile } from "../../../platform/state/temporary-folder.ts";
import { quoteForShell } from "../../cli/shell-word.ts";
import { isMake, parseMakeWords, renameIncludes } from "../../trust/makefiles.ts";
import { listPackageVariables, variablesId } from "../../trust/package-variables.ts";
import type { PinnedRunnable } from "../../trust/runnable.ts";
import { type PinnedCommand, pinScript, pythons, readShebang } from "./pinned-script.ts";

type Options = {
  root: string;
  /** A private folder, which nobody else can write to. */
  folder: string;
  /** The PATH of the run. */
  searchPath: string | undefined;
};

/** Options that take no value and leave the script what it is; after another one the next word may not be the script. */
const plainFlags: [program: RegExp, flag: RegExp][] = [
  [/^(?:ba|da|z)?sh$/, /^-[euvx]+$/],
  [/^node$/, /^--(?:no-[a-z-]+|enable-source-maps|expose-gc|trace-warnings)$/],
  [pythons, /^-[BbEIOPSsuv]+$/],
];
const packageManagers = new Set(["npm", "pnpm", "yarn", "bun"]);

/**
 * The command with the bytes and words that were checked. Between the check and the start somebody could put another file in
 * place of a script, package.json or the Makefile; what is started here does not read them again. Commands of other forms are
 * returned as they are.
 */
export function pinCommand(
  words: readonly string[],
  pinned: readonly PinnedRunnable[],
  options: Options,
): PinnedCommand {
  const [program = "", ...args] = words;
  const files = new Map(pinned.flatMap(({ runs, bytes }) => (bytes ? [[runs, bytes] as const] : [])));
  if (packageManagers.has(program)) return pinPackageScript(words, pinned, options);
  if (isMake(program)) return pinMake(words, files, options);
  const direct = readShebang(files.get(posix.normalize(program)));
  if (direct && program.includes("/") && isExecutable(join(options.root, program)))
    return pinScript(direct, program, args, files, options) ?? { words: [...words] };
  const isFlag = (word: string) => plainFlags.some(([name, flag]) => name.test(program) && flag.test(word));
  const flags = args.findIndex((word) => !isFlag(word));
  const [script = "", ...rest] = args.slice(flags);
  if (flags === -1) return { words: [...words] };
  const interpreter = [program, ...args.slice(0, flags)];
  return pinScript(interpreter, script, rest, files, options) ?? { words: [...words] };
}

/** Runs each script like npm: with its own name and text in the environment, until one fails. */
const runScripts =
  'while [ $# -gt 0 ]; do npm_lifecycle_event="$1" npm_lifecycle_script="$2" sh -c "$3" || exit; shift 3; done';

/** The scripts as package.json had them, run as npm runs them. */
function pinPackageScript(
  words: readonly string[],
  pinned: readonly PinnedRunnable[],
  { root, searchPath }: Options,
): PinnedCommand {
  const order = parseScriptOrder(words, root);
  const scriptOf = (event: string) => pinned.find(({ id }) => id === `package.json:${event}`)?.command?.[2];
  const main = order && scriptOf(order.name);
  if (!order || main === undefined) return { words: [...words] };
  const { name, args } = order;
  const step = (event: string, more: readonly string[] = []) => {
    const script = scriptOf(event);
    return script === undefined ? [] : [event, script, [script, ...more.map(quoteForShell)].join(" ")];
  };
  const steps = [...step(`pre${name}`), ...step(name, args), ...step(`post${name}`)];
  const bins = listParents(root).map((folder) => join(folder, "node_modules", ".bin"));
  const bound = pinned.find(({ id }) => id === variablesId)?.command ?? [];
  return {
    words: ["sh", "-c", runScripts, "sh", ...steps],
    env: {
      ...listPackageVariables(root),
      ...Object.fromEntries(bound.map((line) => splitAt(line, line.indexOf("=")))),
      PATH: [...bins, ...(searchPath === undefined ? [] : [searchPath])].join(delimiter),
      npm_package_json: join(root, "package.json"),
      npm_command: name === "test" && words[1] !== "run" ? "test" : "run-script",
      INIT_CWD: root,
    },
  };
}

type ScriptOrder = { name: string; args: string[] };

/** Which script a package manager would run; undefined for what is not known to run one, or not in the same way. */
export function parseScriptOrder(
  [program = "", first = "", ...more]: readonly string[],
  root: string,
): ScriptOrder | undefined {
  if (!packageManagers.has(program)) return undefined;
  if (program === "yarn" && !isYarnClassic(root)) return undefined;
  const isRun = first === "run" || (program === "npm" && first === "run-script");
  const isTest = program !== "bun" && (first === "test" || (first === "t" && program !== "yarn"));
  if (!isRun && !isTest) return undefined;
  const [name = "", ...rest] = isRun ? more : ["test", ...more];
  // Options of the manager itself, such as --workspace, mean something else than these scripts.
  if (rest.length > 0 && rest[0] !== "--") return undefined;
  return name === "" || name.startsWith("-") ? undefined : { name, args: rest.slice(1) };
}

/** Later versions have a shell and a way to find packages of their own. */
function isYarnClassic(root: string): boolean {
  const lock = readPinned(join(realPlace(root), "yarn.lock"), [realPlace(root)]);
  return "bytes" in lock && lock.bytes.subarray(0, 500).includes("# yarn lockfile v1");
}

function splitAt(line: string, index: number): [string, string] {
  return [line.slice(0, index), line.slice(index + 1)];
}

/** Makefiles in a folder of ours, where each includes the others of that folder. */
function pinMake(words: readonly string[], files: ReadonlyMap<string, Buffer>, { folder }: Options): PinnedCommand {
  const { files: given, folder: runsIn, others } = parseMakeWords(words);
  const names = [...files.keys()];
  const first = given.length > 0 ? given : names.slice(0, 1);
  // In another folder, the names of its makefiles mean something else.
  if (first.length === 0 || runsIn !== undefined || !first.every((name) => files.has(name)))
    return { words: [...words] };
  const place = (name: string) => join(folder, `make-${names.indexOf(name)}`);
  for (const [name, bytes] of files) {
    const text = renameIncludes(bytes.toString("latin1"), (one) =>
      files.has(posix.normalize(one)) ? place(posix.normalize(one)) : one,
    );
    // Makefiles find their own folder by this variable, which has our copy as its last word.
    const own = `MAKEFILE_LIST := $(filter-out ${place(name)},$(MAKEFILE_LIST)) ${name}\n`;
    writeTemporaryFile(place(name), Buffer.from(own + text, "latin1"));
  }
  return { words: [words[0] ?? "make", ...first.flatMap((name) => ["-f", place(name)]), ...others] };
}

/** The folder and those above it, up to one in which somebody else could put programs, such as /tmp. */
function listParents(folder: string): string[] {
  const parent = dirname(folder);
  const isPrivate = isOwnedByUser(parent) && ((entryAt(parent)?.mode ?? 0o777) & 0o022) === 0;
  return parent === folder || !isPrivate ? [folder] : [folder, ...listParents(parent)];
}

function isExecutable(path: string): boolean {
  return ((entryAt(path)?.mode ?? 0) & 0o111) !== 0;
}
