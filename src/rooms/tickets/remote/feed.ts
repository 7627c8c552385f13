import { eventsIn, path, type RemoteServer } from "../../../commons/remote/index.ts";
import { isRecord } from "../../../kernel/json.ts";
import { type Pause, sleepUntil } from "./pause.ts";

/** A server sends something every 15 s, if only a heartbeat. */
const maxSilenceMs = 45_000;
const minWaitMs = 1_000;
const maxWaitMs = 30_000;

type Listener = (about: readonly string[] | "unknown") => void;

/** What happens on a server, over one connection for all listeners. The first one opens it, the last one closes it. */
export class Feed {
  readonly #server: RemoteServer;
  readonly #pause: Pause;
  readonly #listeners = new Set<Listener>();
  #ending: AbortController | undefined;

  constructor(server: RemoteServer, pause: Pause = sleepUntil) {
    this.#server = server;
    this.#pause = pause;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (!this.#ending) {
      this.#ending = new AbortController();
      void this.#run(this.#ending.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#ending?.abort();
      this.#ending = undefined;
    };
  }

  /** After a break the server continues from the last event, but may have lost some: all listeners are told to look again. */
  async #run(signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    let waitMs = minWaitMs;
    for (let connections = 0; !signal.aborted; connections++) {
      try {
        const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
        const chunks = await this.#server.stream(path`/events`, { headers, signal, idleMs: maxSilenceMs });
        waitMs = minWaitMs;
        if (connections > 0) this.#notify("unknown");
        for await (const { id, data } of eventsIn(chunks)) {
          last = id ?? last;
          const about = parseChanges(data);
          if (about) this.#notify(about);
        }
      } catch {
        // Reading a ticket reports what is wrong; this only tries again.
      }
      await this.#pause(waitMs, signal).catch(() => undefined);
      waitMs = Math.min(maxWaitMs, waitMs * 2);
    }
  }

  #notify(about: readonly string[] | "unknown"): void {
    for (const listener of this.#listeners) listener(about);
  }
}

/** What was changed, according to an entry of the team's ledger; undefined if nothing was. */
function parseChanges(data: string): readonly string[] | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (!isRecord(entry) || entry["effect"] === "read" || entry["outcome"] !== "ok") return undefined;
  const { about } = entry;
  return Array.isArray(about) ? about.filter((item) => typeof item === "string") : undefined;
}
