import type { Resource } from "../../kernel/resource.ts";

type Find<Services> = (uri: string) => { item: Resource<Services> } | undefined;

/** The resources that subscribers of one connection watch; a resource is observed only while somebody does. */
export class Watching<Services> {
  readonly #find: Find<Services>;
  readonly #services: Services;
  readonly #notify: (uri: string) => void;
  readonly #stops = new Map<string, () => void>();

  constructor(find: Find<Services>, services: Services, notify: (uri: string) => void) {
    this.#find = find;
    this.#services = services;
    this.#notify = notify;
  }

  watch(uri: string): void {
    if (this.#stops.has(uri)) return;
    const stop = this.#find(uri)?.item.watch?.(this.#services, uri, () => this.#notify(uri));
    if (stop) this.#stops.set(uri, stop);
  }

  unwatch(uri: string): void {
    this.#stops.get(uri)?.();
    this.#stops.delete(uri);
  }

  close(): void {
    for (const uri of [...this.#stops.keys()]) this.unwatch(uri);
  }
}
