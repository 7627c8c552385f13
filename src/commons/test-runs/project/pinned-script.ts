import { basename, join, posix } from "node:path";
import { writeTemporaryFile } from "../../../platform/state/temporary-folder.ts";
import { quoteForShell } from "../../cli/shell-word.ts";
import { nodeStarter, pythonStarter } from "./pinned-starters.ts";

/** What starts a command as it was trusted. */
export type PinnedCommand = { words: string[]; env?: Readonly<Record<string, string>> };

const shells = new Set(["sh", "bash", "dash", "zsh"]);
export const pythons = /^python(?:3(?:\.\d+)?)?$/;
/** Hooks have no ending. */
const nodeScript = /\.[cm]?js$|(?:^|\/)[^./]+$/;

/** `interpreter` with its own options, then the script and its arguments. */
export function pinScript(
  interpreter: readonly string[],
  script: string,
  args: readonly string[],
  files: ReadonlyMap<string, Buffer>,
  { root, folder }: { root: string; folder: string },
): PinnedCommand | undefined {
  const bytes = files.get(posix.normalize(script));
  if (!bytes) return undefined;
  const name = basename(interpreter[0] ?? "");
  if (shells.has(name)) {
    // Read by the shell itself, so that `$0` stays the script's own path.
    const line = `. ${quoteForShell(write(folder, "script", forShell(bytes)))}`;
    return { words: [...interpreter, "-c", line, script, ...args] };
  }
  const copy = write(folder, "script", bytes);
  const path = join(root, script);
  if (name === "node" && nodeScript.test(script))
    return { words: [...interpreter, write(folder, "start.mjs", nodeStarter), copy, path, ...args] };
  if (pythons.test(name)) return { words: [...interpreter, "-c", pythonStarter, copy, path, ...args] };
  return undefined;
}

/** Bash takes this from the file that it reads, which is our copy. */
function forShell(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1").replace(/\$\{BASH_SOURCE(?:\[0\])?\}|\$BASH_SOURCE\b/g, () => "$0");
  return Buffer.from(text, "latin1");
}

/** The interpreter of a script, with its options; undefined if it is not a script. */
export function readShebang(bytes: Buffer | undefined): string[] | undefined {
  const [, line] = /^#![ \t]*([^\n]{1,300})/.exec(bytes?.subarray(0, 400).toString("latin1") ?? "") ?? [];
  // With a carriage return the system finds no interpreter.
  if (line === undefined || line.includes("\r")) return undefined;
  const [program = "", ...options] = line.trim().split(/\s+/);
  if (basename(program) !== "env") return [program, ...options];
  return options[0] === "-S" ? options.slice(1) : options;
}

function write(folder: string, name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeTemporaryFile(path, content);
  return path;
}
