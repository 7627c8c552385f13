import * as z from "zod";
import type { Watching } from "./watching.ts";

const listenRequest = z.object({
  method: z.literal("subscriptions/listen"),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string().max(2048)).max(100) }) }),
});

/** The resources a `subscriptions/listen` asks for. The SDK routes their updates, but leaves noticing them to us. */
export function listenedResources(message: unknown): string[] {
  if (!isListen(message)) return [];
  const parsed = listenRequest.safeParse(message);
  return parsed.success ? parsed.data.params.notifications.resourceSubscriptions : [];
}

/** The streams that listen to resources: the first begins the watching of one, and the last to end ends it. */
export class Listeners {
  readonly #watching: Watching;
  readonly #counts = new Map<string, number>();

  constructor(watching: Watching) {
    this.#watching = watching;
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
      void this.#watching.watch(uri);
    } else {
      this.#counts.delete(uri);
      this.#watching.unwatch(uri);
    }
  }
}

/** Looked at first, because it is asked of every message: a schema that does not fit is slow to say so. */
function isListen(message: unknown): boolean {
  return (
    typeof message === "object" && message !== null && "method" in message && message.method === "subscriptions/listen"
  );
}
