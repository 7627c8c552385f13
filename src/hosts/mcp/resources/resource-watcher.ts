import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Runtime } from "../../../kernel/calls/invoke.ts";
import type { Resource } from "../../../kernel/definitions/resource.ts";

type Find = (uri: string) => Promise<{ item: Resource<unknown>; runtime: Runtime<unknown> } | undefined>;

/** Each is looked at whenever something changes, so thousands would leave no time for anything else. */
const maxWatched = 200;

/** The resources that the subscribers of one connection watch. */
export class ResourceWatcher {
  readonly #find: Find;
  readonly #notify: (uri: string) => void;
  readonly #wanted = new Map<string, { stop?: () => void }>();

  constructor(find: Find, notify: (uri: string) => void) {
    this.#find = find;
    this.#notify = notify;
  }

  /** Throws where the connection watches too many already. */
  async watch(uri: string): Promise<void> {
    if (this.#wanted.has(uri)) return;
    if (this.#wanted.size >= maxWatched)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `This connection is subscribed to ${maxWatched} resources already. Unsubscribe from one first.`,
      );
    const entry: { stop?: () => void } = {};
    this.#wanted.set(uri, entry);
    const found = await this.#find(uri).catch(() => undefined);
    // It may have been unsubscribed during the lookup.
    if (this.#wanted.get(uri) !== entry) return;
    const stop = found?.item.watch?.(found.runtime.services, uri, () => this.#notify(uri));
    if (stop) entry.stop = stop;
    else this.#wanted.delete(uri);
  }

  unwatch(uri: string): void {
    this.#wanted.get(uri)?.stop?.();
    this.#wanted.delete(uri);
  }

  close(): void {
    for (const uri of [...this.#wanted.keys()]) this.unwatch(uri);
  }
}
