import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { batchLine } from "../exec/batch-line.ts";
import { startError } from "../exec/errors.ts";
import { findProgram, isProgram } from "../exec/search-path.ts";
import { environment } from "../host/environment.ts";

type Attachment = {
  cwd: string;
  /** Default: the user's own, as if the program was started in their shell. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Ends the program. */
  signal: AbortSignal;
};

const onWindows = process.platform === "win32";
/** What the keyboard sends to every process on the terminal; only the program in front is meant. */
const keyboardSignals = ["SIGINT", "SIGQUIT"] as const;
const lateKeyMs = 250;

/**
 * Runs a program on the person's own terminal: an editor, an assistant. Until it ends, Ctrl+C is for it and not for us.
 * For what the person asked to be started, and never for what a project or an assistant names.
 */
export async function runAttached(
  command: string,
  args: string[],
  { cwd, env = environment, signal }: Attachment,
): Promise<{ code: number } | { signal: string }> {
  const file = findAttachable(command, cwd, env);
  if (file === undefined) throw startError("ENOENT", command, cwd);
  const earsBack = ignoreKeyboardSignals();
  try {
    const end = await waitForEnd(start(file, args, { cwd, env: { ...env } }), command, cwd, signal);
    // The key that ended it is for us as well, and on a busy machine may come after its end.
    if (!("code" in end) || end.code !== 0) await delay(lateKeyMs);
    return end;
  } finally {
    earsBack();
  }
}

/** The file that a command names, as the person's shell would find it; undefined where there is none. */
export function findAttachable(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = environment,
): string | undefined {
  if (/[\\/]/.test(command)) {
    const path = resolve(cwd, command);
    return [path, ...(onWindows ? [`${path}.exe`, `${path}.cmd`] : [])].find(isProgram);
  }
  return findProgram(onWindows ? command.replace(/\.(?:exe|cmd)$/i, "") : command, env, cwd);
}

function start(file: string, args: string[], place: { cwd: string; env: NodeJS.ProcessEnv }): ChildProcess {
  const options = { ...place, stdio: "inherit" as const };
  if (!onWindows || !/\.(?:cmd|bat)$/i.test(file)) return spawn(file, args, options);
  const { COMSPEC: shell = "cmd.exe" } = place.env;
  return spawn(shell, ["/d", "/s", "/c", batchLine(file, args)], { ...options, windowsVerbatimArguments: true });
}

async function waitForEnd(
  child: ChildProcess,
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<{ code: number } | { signal: string }> {
  const end = () => child.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) => reject(startError(error, command, cwd)));
      child.once("exit", (code, killer) => resolve(killer ? { signal: killer } : { code: code ?? 0 }));
    });
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Hears none of the keyboard's signals until the returned function is called; a handler must stay, or they would end us. */
function ignoreKeyboardSignals(): () => void {
  const deaf = () => undefined;
  const restore = keyboardSignals.map((name) => {
    const before = process.listeners(name);
    process.removeAllListeners(name);
    process.on(name, deaf);
    return () => {
      // In this order: without any listener the signal would end us.
      for (const listener of before) process.on(name, listener);
      process.removeListener(name, deaf);
    };
  });
  return () => {
    for (const back of restore) back();
  };
}
