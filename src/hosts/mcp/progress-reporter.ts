import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../../kernel/calls/call.ts";

const minGapMs = 100;

/**
 * Sends progress if the caller gave a token: always rising, at most ten a second besides events, at least once, and never after
 * the answer.
 */
export class ProgressReporter {
  readonly #context: ServerContext;
  #last = Number.NEGATIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;
  #done = false;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  report({ progress, total, message, meta, isEvent = false }: Progress): void {
    const progressToken = this.#context.mcpReq._meta?.progressToken;
    if (progressToken === undefined || this.#done || progress <= this.#last) return;
    const now = performance.now();
    const isLast = total !== undefined && progress >= total;
    if (now - this.#sentAt < minGapMs && !isLast && !isEvent && this.#last !== Number.NEGATIVE_INFINITY) return;
    this.#last = progress;
    this.#sentAt = now;
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message && { message }),
      ...(meta && { _meta: meta }),
    };
    // A client that is gone cannot be told; the call is aborted elsewhere.
    this.#context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  }

  end(): void {
    if (this.#last === Number.NEGATIVE_INFINITY && !this.#context.mcpReq.signal.aborted)
      this.report({ progress: 1, total: 1 });
    this.#done = true;
  }
}
