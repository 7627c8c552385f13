import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import type { Cancellation } from "../../../kernel/calls/call-deadline.ts";

/** Tells when the client has gone before it was answered. */
export function disconnectOf(context: Context): Cancellation {
  const outgoing = (context.env as { outgoing?: ServerResponse } | undefined)?.outgoing;
  return outgoing ? new Disconnect(outgoing) : context.req.raw.signal;
}

/** Whether the client has gone before it had sent its whole request: an error that follows from it is not ours. */
export function isCutOff(context: Context): boolean {
  const incoming = (context.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  return incoming?.destroyed === true && !incoming.complete;
}

/** Calls once the answer was taken by the client's connection, or that has ended; at once where there is none. */
export function whenSent(context: Context, done: () => void): void {
  const { incoming, outgoing } = (context.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
  const socket = incoming?.socket;
  if (!outgoing || !socket || outgoing.closed || socket.destroyed) return void done();
  const end = () => {
    outgoing.off("close", end);
    socket.off("close", end);
    done();
  };
  outgoing.once("close", end);
  // An answer that waits for others of its connection is not told that this is closed.
  socket.once("close", end);
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
