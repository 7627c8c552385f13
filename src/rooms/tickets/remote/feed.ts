import { eventsIn, path, type RemoteServer } from "../../../commons/remote/index.ts";
import { isRecord } from "../reading/loose.ts";
import { type Pause, sleepUntil } from "./pause.ts";

/** A server says something every 15 s, if only that it is there. */
const silenceMs = 45_000;
const waits = { firstMs: 1_000, longestMs: 30_000 };

type Listener = (about: readonly string[] | "unknown") => void;

/** What happens on a server, over one connection for however many listen. It is opened by the first and ends with the last. */
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

  /**
   * After a break the server goes on from the last event, but perhaps not with all that was missed: all are told to look
   * again, once.
   */
  async #run(signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    let waitMs = waits.firstMs;
    for (let connections = 0; !signal.aborted; connections++) {
      try {
        const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
        const chunks = await this.#server.stream(path`/events`, { headers, signal, idleMs: silenceMs });
        waitMs = waits.firstMs;
        if (connections > 0) this.#tell("unknown");
        for await (const { id, data } of eventsIn(chunks)) {
          last = id ?? last;
          const about = changedBy(data);
          if (about) this.#tell(about);
        }
      } catch {
        // Whoever reads will be told what is wrong; this goes on trying.
      }
      await this.#pause(waitMs, signal).catch(() => undefined);
      waitMs = Math.min(waits.longestMs, waitMs * 2);
    }
  }

  #tell(about: readonly string[] | "unknown"): void {
    for (const listener of this.#listeners) listener(about);
  }
}

/** What an entry of the team's ledger says was changed; undefined where nothing was. */
function changedBy(data: string): readonly string[] | undefined {
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
