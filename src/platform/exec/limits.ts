import { existsSync } from "node:fs";
import { totalmem } from "node:os";

/** What one process of a command may use at most; for `processes`, what all of them may be. */
export type ResourceLimits = {
  cpuSeconds: number;
  fileMegabytes: number;
  memoryMegabytes: number;
  processes: number;
};

type CommandLine = { command: string; args: readonly string[] };

const megabyte = 1_048_576;

/** No healthy test suite meets these: a process that does has run away. */
export function defaultLimits(): ResourceLimits {
  const memoryMegabytes = Math.max(8_192, Math.floor(totalmem() / megabyte));
  return { cpuSeconds: 7_200, fileMegabytes: 20_480, memoryMegabytes, processes: 20_000 };
}

/** The command under those limits that this system can set, and what they are, in words. */
export function wrapInLimits(
  { command, args }: CommandLine,
  { cpuSeconds, fileMegabytes, memoryMegabytes, processes }: ResourceLimits,
): CommandLine & { inForce: string[] } {
  const common = [`${cpuSeconds} s of CPU per process`, `${fileMegabytes} MB per file`];
  const prlimit = findProgram("prlimit");
  if (process.platform === "linux" && prlimit !== undefined) {
    // The system does not bind root by a number of processes.
    const isBound = process.getuid?.() !== 0;
    const options = [
      // First a signal that tells what it was; a process that ignores it is killed a little later.
      `--cpu=${cpuSeconds}:${cpuSeconds + 5}`,
      `--fsize=${fileMegabytes * megabyte}`,
      `--data=${memoryMegabytes * megabyte}`,
      ...(isBound ? [`--nproc=${processes}`] : []),
    ];
    const inForce = [
      ...common,
      `${memoryMegabytes} MB of data per process`,
      ...(isBound ? [`${processes} processes`] : []),
    ];
    return { command: prlimit, args: [...options, "--", command, ...args], inForce };
  }
  const shell = process.platform === "win32" ? undefined : findProgram("sh");
  if (shell === undefined) return { command, args, inForce: [] };
  const script = `ulimit -t ${cpuSeconds}; ulimit -f ${fileMegabytes * 2_048}; exec "$@"`;
  return { command: shell, args: ["-c", script, "sh", command, ...args], inForce: common };
}

/**
 * The command with a limit on the memory of each of its processes; as it is where the system has no shell, or a lower limit. Linux
 * alone holds it.
 */
export function wrapInMemoryLimit({ command, args }: CommandLine, megabytes: number): CommandLine {
  const shell = process.platform === "linux" ? findProgram("sh") : undefined;
  if (shell === undefined) return { command, args };
  const script = `ulimit -S -d ${megabytes * 1_024} 2>/dev/null || :; exec "$@"`;
  return { command: shell, args: ["-c", script, "sh", command, ...args] };
}

/** Which limit ended a command, by how it ended; a shell passes the signal of its last command on as a number. */
export function findExceededLimit(code: number | null, signal: string | null): "CPU time" | "file size" | undefined {
  if (signal === "SIGXCPU" || code === 128 + 24) return "CPU time";
  if (signal === "SIGXFSZ" || code === 128 + 25) return "file size";
  return undefined;
}

/** The system's own, wherever PATH leads. */
function findProgram(name: string): string | undefined {
  return ["/usr/bin", "/bin"].map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}
