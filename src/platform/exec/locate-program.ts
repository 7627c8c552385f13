import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import { type StartFailure, startError } from "./errors.ts";

type Place = { cwd: string; env: Readonly<Record<string, string>> };

const defaultSearchPath = "/usr/local/bin:/usr/bin:/bin";
const headBytes = 512;

/**
 * The file a command names, found as a shell would, but never in a folder that is relative to the one it runs in. What the
 * system would refuse, or would hand to a shell instead, is refused here with a reason.
 */
export function locateProgram(command: string, place: Place, platform: NodeJS.Platform = process.platform): string {
  if (command === "" || command.includes("\0")) throw startError("NUL", command, place.cwd);
  return platform === "win32" ? locateOnWindows(command, place) : locateOnPosix(command, place);
}

function locateOnPosix(command: string, { cwd, env }: Place): string {
  const candidates = command.includes("/")
    ? [posix.resolve(cwd, command)]
    : (env["PATH"] ?? defaultSearchPath)
        .split(":")
        .filter((folder) => posix.isAbsolute(folder))
        .map((folder) => posix.join(folder, command));
  let refused: StartFailure = "ENOENT";
  for (const path of candidates) {
    const failure = accessFailure(path);
    if (failure === "EACCES") refused = failure;
    if (failure) continue;
    const broken = formatFailure(path);
    if (broken) throw startError(broken, command, cwd);
    return path;
  }
  throw startError(refused, command, cwd);
}

function accessFailure(path: string): StartFailure | undefined {
  try {
    if (!statSync(path).isFile()) return "EACCES";
  } catch {
    return "ENOENT";
  }
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return "EACCES";
  }
}

const magics = ["7f454c46", "feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe", "bebafeca"];

/** A file of no known format would be read by `/bin/sh`, line by line, whatever it is. */
function formatFailure(path: string): StartFailure | undefined {
  const head = headOf(path);
  if (!head || magics.includes(head.subarray(0, 4).toString("hex"))) return undefined;
  const [line = ""] = head.toString("latin1").split("\n", 1);
  if (!line.startsWith("#!")) return "ENOEXEC";
  if (line.endsWith("\r")) return "CRLF";
  const [interpreter = ""] = line.slice(2).trim().split(/[ \t]/, 1);
  return posix.isAbsolute(interpreter) && !existsSync(interpreter) ? "NO_INTERPRETER" : undefined;
}

/** Undefined where we may run the file but not read it. */
function headOf(path: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(descriptor, head, 0, headBytes, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Windows cuts dots and blanks off the end of a name before it looks at the extension. */
const batchFile = /\.(?:bat|cmd)[. ]*$/i;

function locateOnWindows(command: string, { cwd, env }: Place): string {
  if (batchFile.test(command)) throw startError("BATCH", command, cwd);
  const names =
    win32.extname(command) === "" ? [".exe", ".com", ".cmd", ".bat"].map((end) => command + end) : [command];
  const searchPath = Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";
  const folders = /[\\/]/.test(command) ? [cwd] : searchPath.split(";").filter((folder) => win32.isAbsolute(folder));
  for (const folder of folders) {
    const path = names.map((name) => win32.resolve(folder, name)).find((candidate) => existsSync(candidate));
    if (path && batchFile.test(path)) throw startError("BATCH", command, cwd);
    if (path) return path;
  }
  throw startError("ENOENT", command, cwd);
}
