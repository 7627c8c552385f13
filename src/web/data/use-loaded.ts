import { useEffect, useState } from "preact/hooks";
import { ApiError } from "./api.ts";
import { onEntry } from "./events.ts";
import type { LedgerEntry } from "./types.ts";

/** What a page shows: nothing yet, a value, or why there is none. */
export type Loaded<T> = { value?: T; problem?: string };

type LoadOptions = {
  /** Whether a change that someone made is a reason to read again. */
  concerns?(entry: LedgerEntry): boolean;
  /** Shows what was read before until the next is there, as a search does. */
  keeps?: boolean;
};

const settleMs = 300;

/** Reads something, and reads it again when something was changed that it is about; many changes in a moment are one read. */
export function useLoaded<T>(
  read: () => Promise<T>,
  deps: readonly unknown[],
  { concerns = () => false, keeps = false }: LoadOptions = {},
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    let isCurrent = true;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const load = () =>
      read()
        .then(
          (value) => isCurrent && setLoaded({ value }),
          (error: unknown) => isCurrent && isFirst && setLoaded({ problem: messageOf(error) }),
        )
        .finally(() => {
          isFirst = false;
        });
    if (!keeps) setLoaded({});
    void load();
    const stop = onEntry((entry) => {
      if (entry.effect === "read" || entry.effect === "fetch" || entry.outcome === "open" || !concerns(entry)) return;
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void load();
      }, settleMs);
    });
    return () => {
      isCurrent = false;
      clearTimeout(waiting);
      stop();
    };
  }, deps);
  return loaded;
}

/** A text that someone is typing, once they have paused. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return [error.message, ...error.next.slice(0, 1)].join(" ");
  return error instanceof Error ? error.message : String(error);
}
