import type { ServerResponse } from "node:http";
import type { Context } from "hono";
import type { Cancellation } from "../../../kernel/calls/call-deadline.ts";

/** Tells when the client has gone before it was answered. */
export function disconnectOf(context: Context): Cancellation {
  const outgoing = (context.env as { outgoing?: ServerResponse } | undefined)?.outgoing;
  return outgoing ? new Disconnect(outgoing) : context.req.raw.signal;
}

/** The request has a signal for it, which costs as much to create as a small response. */
class Disconnect implements Cancellation {
  readonly #outgoing: ServerResponse;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  get aborted(): boolean {
    return this.#outgoing.destroyed;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#outgoing.once("close", listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#outgoing.off("close", listener);
  }
}
