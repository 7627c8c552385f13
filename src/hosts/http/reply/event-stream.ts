const unreadBeats = 8;

const encoder = new TextEncoder();

/** An event as all streams send it. */
export function encodeEvent(id: number, data: unknown): Uint8Array {
  return encoder.encode(`id: ${id}\nevent: activity\ndata: ${JSON.stringify(data)}\n\n`);
}

/** One client's stream of server-sent events. */
export class EventStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #end = new AbortController();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wanted: (() => void) | undefined;

  constructor(heartbeatMs: number) {
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#wanted?.(),
      cancel: () => this.end(),
    });
    this.#write(": open\n\n");
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Aborted when the stream is over, whoever ended it. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Resolves once the client reads on: a slow client only delays its own events. */
  async send(event: Uint8Array): Promise<void> {
    if (this.ended.aborted) return;
    this.#controller?.enqueue(event);
    if ((this.#controller?.desiredSize ?? 1) > 0) return;
    await new Promise<void>((resolve) => {
      this.#wanted = resolve;
    });
  }

  /** What the client knows is outdated: it reads everything again, and continues from this event. */
  reset(id: number): void {
    this.#write(`id: ${id}\nevent: reset\ndata: {}\n\n`);
  }

  end(): void {
    if (this.ended.aborted) return;
    clearInterval(this.#heartbeat);
    this.#end.abort();
    this.#wanted?.();
    try {
      this.#controller?.close();
    } catch {
      // The client has gone, and the stream with it.
    }
  }

  /** A client with this many unread heartbeats is gone. */
  #beat(): void {
    if ((this.#controller?.desiredSize ?? 0) < -unreadBeats) this.end();
    else this.#write(": still here\n\n");
  }

  #write(text: string): void {
    if (!this.ended.aborted) this.#controller?.enqueue(encoder.encode(text));
  }
}
