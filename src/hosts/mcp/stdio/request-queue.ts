import type { Request, RequestId } from "./message.ts";

const maxBytes = 16 * 1_048_576;

type QueuedRequest = { request: Request; bytes: number };

/** Requests that wait for their turn, in order of arrival. No operation takes longer the more there are: hundreds of thousands fit. */
export class RequestQueue {
  readonly #waiting = new Map<RequestId, QueuedRequest>();
  /** Where the next one is. It is kept, since a new one would pass over all that were served before. */
  #order = this.#waiting.values();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** No more should be read. */
  get isFull(): boolean {
    return this.#bytes > maxBytes;
  }

  /** Its id must not be here yet. */
  add(request: Request, bytes: number): void {
    this.#waiting.set(request.id, { request, bytes });
    this.#bytes += bytes;
  }

  next(): Request | undefined {
    if (this.isEmpty) return undefined;
    let step = this.#order.next();
    if (step.done) {
      this.#order = this.#waiting.values();
      step = this.#order.next();
    }
    const request = step.value?.request;
    if (request) this.remove(request.id);
    return request;
  }

  has(id: RequestId): boolean {
    return this.#waiting.has(id);
  }

  /** For a request that was cancelled; false if it is not here. */
  remove(id: unknown): boolean {
    const queued = this.#waiting.get(id as RequestId);
    this.#bytes -= queued?.bytes ?? 0;
    return this.#waiting.delete(id as RequestId);
  }
}
