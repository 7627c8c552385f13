import * as z from "zod";
import { isRecord } from "../../../kernel/json.ts";
import type { ResourceWatcher } from "./resource-watcher.ts";

const listenRequest = z.object({
  method: z.literal("subscriptions/listen"),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string().max(2048)).max(100) }) }),
});

/** The resources that a `subscriptions/listen` asks for. The SDK routes their updates, but we have to watch for them. */
export function readListenRequest(message: unknown): string[] {
  if (!isListen(message)) return [];
  const parsed = listenRequest.safeParse(message);
  return parsed.success ? parsed.data.params.notifications.resourceSubscriptions : [];
}

/** The streams that listen to resources: a resource is watched from its first listener to its last. */
export class ResourceListeners {
  readonly #watcher: ResourceWatcher;
  readonly #counts = new Map<string, number>();

  constructor(watcher: ResourceWatcher) {
    this.#watcher = watcher;
  }

  /** `gone` is aborted when the stream's client has gone. */
  add(uris: string[], gone: AbortSignal): void {
    if (gone.aborted) return;
    const changeAll = (by: 1 | -1) => {
      for (const uri of uris) this.#change(uri, by);
    };
    changeAll(1);
    gone.addEventListener("abort", () => changeAll(-1), { once: true });
  }

  #change(uri: string, by: 1 | -1): void {
    const count = (this.#counts.get(uri) ?? 0) + by;
    if (count > 0) {
      this.#counts.set(uri, count);
      // One more than can be watched is not: the stream itself goes on.
      this.#watcher.watch(uri).catch(() => undefined);
    } else {
      this.#counts.delete(uri);
      this.#watcher.unwatch(uri);
    }
  }
}

/** The `subscriptions/listen` of one connection, by what goes over it in both directions: each lasts until it is cancelled or answered. */
export class ConnectionListeners {
  readonly #listeners: ResourceListeners;
  readonly #open = new Map<unknown, AbortController>();

  constructor(listeners: ResourceListeners) {
    this.#listeners = listeners;
  }

  noteReceived(message: unknown): void {
    if (!isRecord(message)) return;
    if (message["method"] === "notifications/cancelled" && isRecord(message["params"]))
      this.#end(message["params"]["requestId"]);
    const uris = readListenRequest(message);
    if (uris.length === 0) return;
    // One with the id of another takes its place.
    this.#end(message["id"]);
    const ending = new AbortController();
    this.#open.set(message["id"], ending);
    this.#listeners.add(uris, ending.signal);
  }

  /** What is answered was refused, or is over. */
  noteSent(message: unknown): void {
    if (this.#open.size > 0 && isRecord(message) && !("method" in message)) this.#end(message["id"]);
  }

  #end(id: unknown): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
}

/** Checked first, since every message comes through here: a schema is slow to reject. */
function isListen(message: unknown): boolean {
  return (
    typeof message === "object" && message !== null && "method" in message && message.method === "subscriptions/listen"
  );
}
