import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { environment } from "../host/environment.ts";

const onWindows = process.platform === "win32";
const graceMs = 500;
const lookEveryMs = 20;
/** Killed processes are gone in a moment, unless nothing reaps them. */
const goneWithinMs = 100;

/** Leaders of the process groups that may still be alive. */
const alive = new Set<number>();
let watchingExit = false;

export function trackChild(pid: number): void {
  alive.add(pid);
  if (watchingExit) return;
  watchingExit = true;
  process.once("exit", killAllChildren);
}

/** Ends every child and its descendants, now and without waiting: for the moment the program itself ends. */
export function killAllChildren(): void {
  for (const pid of alive) {
    if (onWindows) spawnSync(taskkill(), ["/PID", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    else signalGroup(pid, "SIGKILL");
  }
  alive.clear();
}

/** Asks a child and its descendants to end, and after a short grace makes them. Resolves when that is done. */
export async function endTree(child: ChildProcess, containment: "group" | "namespace"): Promise<void> {
  const { pid } = child;
  if (pid === undefined || !alive.has(pid)) return;
  // The first process of a namespace ignores SIGTERM, so wait for the child itself to end.
  const isLeft = () => (containment === "group" ? signalGroup(pid, 0) : !hasEnded(child));
  if (onWindows) {
    await taskkillTree(pid);
  } else {
    const end = performance.now() + graceMs;
    signalGroup(pid, "SIGTERM");
    while (isLeft() && performance.now() < end) await pause(lookEveryMs);
  }
  killLeftovers(pid);
}

/** What a finished command left running in its group ends with it. */
export function killLeftovers(pid: number): void {
  if (!alive.delete(pid)) return;
  if (!onWindows) signalGroup(pid, "SIGKILL");
}

/** Resolves when nobody is left of a group that was killed. */
export async function waitUntilGone(pid: number): Promise<void> {
  const end = performance.now() + goneWithinMs;
  while (!onWindows && signalGroup(pid, 0) && performance.now() < end) await pause(1);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** False where nobody is left in the group. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

function taskkillTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn(taskkill(), ["/PID", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    killer.once("error", () => resolve());
    killer.once("exit", () => resolve());
  });
}

function taskkill(): string {
  const { SystemRoot = "C:\\Windows" } = environment;
  return join(SystemRoot, "System32", "taskkill.exe");
}
