import type { Request } from "./envelope.ts";

const mostBytes = 16 * 1_048_576;

/** Requests that wait for their turn, in order of arrival. */
export class WaitingRoom {
  #waiting: { request: Request; bytes: number }[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Enough is held; no more should be read. */
  get isFull(): boolean {
    return this.#bytes > mostBytes;
  }

  enter(request: Request, bytes: number): void {
    this.#waiting.push({ request, bytes });
    this.#bytes += bytes;
  }

  next(): Request | undefined {
    const first = this.#waiting.shift();
    this.#bytes -= first?.bytes ?? 0;
    return first?.request;
  }

  /** Sends one away that nobody waits for any more; false where it is not here. */
  dismiss(id: unknown): boolean {
    const index = this.#waiting.findIndex(({ request }) => request.id === id);
    if (index === -1) return false;
    for (const { bytes } of this.#waiting.splice(index, 1)) this.#bytes -= bytes;
    return true;
  }
}
