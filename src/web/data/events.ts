import { signal } from "@preact/signals";
import { facts, team } from "./start.ts";
import type { LedgerEntry } from "./types.ts";

type Listener = (entry: LedgerEntry) => void;
type WorkerMessage = { kind: "open" | "closed" | "activity" | "reset"; data?: string; seq?: number };

/** Whether changes arrive as they are made. */
export const isLive = signal(false);

const listeners = new Set<Listener>();
const resetListeners = new Set<() => void>();
let seen = 0;

/** Calls back for every entry of the ledger from now on; returns how to stop. */
export function onEntry(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back when everything that was read is out of date. */
export function onReset(listener: () => void): void {
  resetListeners.add(listener);
}

/** Begins with the event after those that the start already shows. */
export function followEvents(): void {
  seen = facts.value?.seq ?? 0;
  const address = team.value ? `/api/events?team=${encodeURIComponent(team.value.id)}` : "/api/events";
  const script = document.querySelector<HTMLMetaElement>('meta[name="forge-events"]')?.content;
  if (typeof SharedWorker === "undefined" || script === undefined) {
    followAlone(address);
    return;
  }
  const { port } = new SharedWorker(script, { name: `forge ${address}`, type: "module" });
  port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => take(data);
  port.postMessage({ address, after: seen });
  addEventListener("pagehide", () => port.postMessage({ leave: true }));
}

/** For browsers without shared workers: one stream per tab. */
function followAlone(address: string): void {
  let retryMs = 500;
  const open = () => {
    const source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}after=${seen}`);
    const pass = (kind: "activity" | "reset") => (event: MessageEvent<string>) =>
      take({ kind, data: event.data, seq: Number(event.lastEventId) });
    source.onopen = () => {
      retryMs = 500;
      take({ kind: "open" });
    };
    source.addEventListener("activity", pass("activity"));
    source.addEventListener("reset", pass("reset"));
    source.onerror = () => {
      take({ kind: "closed" });
      source.close();
      setTimeout(open, retryMs);
      retryMs = Math.min(retryMs * 2, 10_000);
    };
  };
  open();
}

function take({ kind, data, seq }: WorkerMessage): void {
  if (kind === "open" || kind === "closed") {
    isLive.value = kind === "open";
    return;
  }
  if (kind === "reset") {
    seen = seq ?? seen;
    for (const listener of resetListeners) listener();
    return;
  }
  const entry = JSON.parse(data ?? "{}") as LedgerEntry;
  // A running call comes again when it has ended, under a new number.
  if (entry.seq <= seen) return;
  seen = entry.seq;
  for (const listener of listeners) listener(entry);
}
