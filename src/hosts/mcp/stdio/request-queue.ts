import type { Request } from "./message.ts";

const maxBytes = 16 * 1_048_576;

/** Requests that wait for their turn, in order of arrival. */
export class RequestQueue {
  #waiting: { request: Request; bytes: number }[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** No more should be read. */
  get isFull(): boolean {
    return this.#bytes > maxBytes;
  }

  add(request: Request, bytes: number): void {
    this.#waiting.push({ request, bytes });
    this.#bytes += bytes;
  }

  next(): Request | undefined {
    const first = this.#waiting.shift();
    this.#bytes -= first?.bytes ?? 0;
    return first?.request;
  }

  has(id: unknown): boolean {
    return this.#waiting.some(({ request }) => request.id === id);
  }

  /** For a request that was cancelled; false if it is not here. */
  remove(id: unknown): boolean {
    const index = this.#waiting.findIndex(({ request }) => request.id === id);
    if (index === -1) return false;
    for (const { bytes } of this.#waiting.splice(index, 1)) this.#bytes -= bytes;
    return true;
  }
}
