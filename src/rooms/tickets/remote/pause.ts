import { setTimeout as sleep } from "node:timers/promises";

/** Waits between two requests; rejects when the signal is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

export const sleepUntil: Pause = (ms, signal) => sleep(ms, undefined, { signal });
