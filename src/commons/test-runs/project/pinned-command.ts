import { basename, delimiter, dirname, join, posix } from "node:path";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { isOwnedByUser } from "../../../platform/host/permissions.ts";
import type { PinnedRunnable } from "../../trust/runnable.ts";
import { nodeStarter, pythonStarter } from "./pinned-starters.ts";

/** What starts a command as it was trusted. */
export type PinnedCommand = { words: string[]; env?: Readonly<Record<string, string>> };

type Options = {
  root: string;
  /** A private folder, which nobody else can write to. */
  folder: string;
  /** The PATH of the run. */
  searchPath: string | undefined;
};

const shells = new Set(["sh", "bash", "dash", "zsh"]);
const pythons = /^python(?:3(?:\.\d+)?)?$/;
const nodeScript = /\.[cm]?js$/;
/** Options that take no value and leave the script what it is; after another one the next word may not be the script. */
const plainFlags: [program: RegExp, flag: RegExp][] = [
  [/^(?:ba|da|z)?sh$/, /^-[euvx]+$/],
  [/^node$/, /^--(?:no-[a-z-]+|enable-source-maps|expose-gc|trace-warnings)$/],
  [pythons, /^-[BbEIOPSsuv]+$/],
];
const makes = new Set(["make", "gmake"]);

/**
 * The command with the bytes and words that were checked. Between the check and the start somebody could put another file in
 * place of a script, package.json or the Makefile; what is started here does not read them again. Commands of other forms are
 * returned as they are.
 */
export async function pinCommand(
  words: readonly string[],
  pinned: readonly PinnedRunnable[],
  options: Options,
): Promise<PinnedCommand> {
  const [program = "", ...args] = words;
  const files = new Map(pinned.flatMap(({ runs, bytes }) => (bytes ? [[runs, bytes] as const] : [])));
  if (program === "npm") return pinPackageScript(words, pinned, options);
  if (makes.has(program)) return pinMake(words, files, options);
  const direct = readShebang(files.get(posix.normalize(program)));
  if (direct && program.includes("/") && isExecutable(join(options.root, program)))
    return (await pinScript(direct, program, args, files, options)) ?? { words: [...words] };
  const isFlag = (word: string) => plainFlags.some(([name, flag]) => name.test(program) && flag.test(word));
  const flags = args.findIndex((word) => !isFlag(word));
  const [script = "", ...rest] = args.slice(flags);
  if (flags === -1) return { words: [...words] };
  const interpreter = [program, ...args.slice(0, flags)];
  return (await pinScript(interpreter, script, rest, files, options)) ?? { words: [...words] };
}

/** `interpreter` with its own options, then the script and its arguments. */
async function pinScript(
  interpreter: readonly string[],
  script: string,
  args: readonly string[],
  files: ReadonlyMap<string, Buffer>,
  { root, folder }: Options,
): Promise<PinnedCommand | undefined> {
  const bytes = files.get(posix.normalize(script));
  if (!bytes) return undefined;
  const name = basename(interpreter[0] ?? "");
  if (shells.has(name)) {
    // Read by the shell itself, so that `$0` stays the script's own path.
    const line = `. ${quote(await write(folder, "script", forShell(bytes)))}`;
    return { words: [...interpreter, "-c", line, script, ...args] };
  }
  const copy = await write(folder, "script", bytes);
  const path = join(root, script);
  if (name === "node" && nodeScript.test(script))
    return { words: [...interpreter, await write(folder, "start.mjs", nodeStarter), copy, path, ...args] };
  if (pythons.test(name)) return { words: [...interpreter, "-c", pythonStarter, copy, path, ...args] };
  return undefined;
}

/** Bash takes this from the file that it reads, which is our copy. */
function forShell(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1").replace(/\$\{BASH_SOURCE(?:\[0\])?\}|\$BASH_SOURCE\b/g, () => "$0");
  return Buffer.from(text, "latin1");
}

/** The interpreter of a script, with its options; undefined if it is not a script. */
function readShebang(bytes: Buffer | undefined): string[] | undefined {
  const [, line] = /^#![ \t]*([^\n]{1,300})/.exec(bytes?.subarray(0, 400).toString("latin1") ?? "") ?? [];
  // With a carriage return the system finds no interpreter.
  if (line === undefined || line.includes("\r")) return undefined;
  const [program = "", ...options] = line.trim().split(/\s+/);
  if (basename(program) !== "env") return [program, ...options];
  return options[0] === "-S" ? options.slice(1) : options;
}

/** The scripts as package.json had them, run as npm runs them. */
function pinPackageScript(
  words: readonly string[],
  pinned: readonly PinnedRunnable[],
  { root, searchPath }: Options,
): PinnedCommand {
  const [, first = "", ...more] = words;
  const isRun = first === "run" || first === "run-script";
  const name = isRun ? (more[0] ?? "") : first === "t" ? "test" : first;
  const rest = isRun ? more.slice(1) : more;
  const scriptOf = (event: string) => pinned.find(({ id }) => id === `package.json:${event}`)?.command?.[2];
  const main = scriptOf(name);
  // Options of npm itself, such as --workspace, mean something else than these scripts.
  if (main === undefined || (rest.length > 0 && rest[0] !== "--")) return { words: [...words] };
  const line = [main, ...rest.slice(1).map(quote)].join(" ");
  const scripts = [scriptOf(`pre${name}`), line, scriptOf(`post${name}`)].filter((script) => script !== undefined);
  const bins = listParents(root).map((folder) => join(folder, "node_modules", ".bin"));
  return {
    words: ["sh", "-c", 'for script in "$@"; do sh -c "$script" || exit; done', "sh", ...scripts],
    env: {
      PATH: [...bins, ...(searchPath === undefined ? [] : [searchPath])].join(delimiter),
      npm_lifecycle_event: name,
      npm_lifecycle_script: main,
      npm_package_json: join(root, "package.json"),
      npm_command: isRun ? "run-script" : "test",
      INIT_CWD: root,
    },
  };
}

const includeLine = /^([ \t]*[-s]?include[ \t]+)([^\n#]+)/gm;

/** Makefiles in a folder of ours, where each includes the others of that folder. */
async function pinMake(
  words: readonly string[],
  files: ReadonlyMap<string, Buffer>,
  { folder }: Options,
): Promise<PinnedCommand> {
  const option = words.findIndex((word) => word === "-f" || word === "--file" || word === "--makefile");
  const first = option === -1 ? files.keys().next().value : posix.normalize(words[option + 1] ?? "");
  if (first === undefined || !files.has(first)) return { words: [...words] };
  const names = [...files.keys()];
  const place = (name: string) => join(folder, `make-${names.indexOf(name)}`);
  for (const [name, bytes] of files) {
    const text = bytes.toString("latin1").replace(includeLine, (_line, start: string, names: string) => {
      const given = names.trim().split(/\s+/);
      return (
        start + given.map((one) => (files.has(posix.normalize(one)) ? place(posix.normalize(one)) : one)).join(" ")
      );
    });
    // Makefiles find their own folder by this variable, which has our copy as its last word.
    const own = `MAKEFILE_LIST := $(filter-out ${place(name)},$(MAKEFILE_LIST)) ${name}\n`;
    await writePrivateFile(place(name), Buffer.from(own + text, "latin1"));
  }
  const others = option === -1 ? words.slice(1) : [...words.slice(1, option), ...words.slice(option + 2)];
  return { words: [words[0] ?? "make", "-f", place(first), ...others] };
}

async function write(folder: string, name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writePrivateFile(path, content);
  return path;
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

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
