import { ForgeError } from "../../kernel/errors.ts";

type Turn = { begin(): void };

/** Lets one piece of work per key run at a time; others wait in the order they came, and only so many of them. */
export class Gate {
  readonly #maxWaiting: number;
  /** Keys at work, each with who waits for it. */
  readonly #queues = new Map<string, Turn[]>();

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Does the work when its turn comes. A caller that is cancelled while waiting leaves the queue. */
  async pass<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw cancelledError();
    const queue = this.#queues.get(key);
    if (queue) await this.#wait(queue, signal);
    else this.#queues.set(key, []);
    try {
      return await work();
    } finally {
      this.#next(key);
    }
  }

  #wait(queue: Turn[], signal: AbortSignal): Promise<void> {
    if (queue.length >= this.#maxWaiting) throw queueFull(this.#maxWaiting);
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(turn), 1);
        reject(cancelledError());
      };
      const turn = {
        begin() {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      queue.push(turn);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #next(key: string): void {
    const turn = this.#queues.get(key)?.shift();
    if (turn) turn.begin();
    else this.#queues.delete(key);
  }
}

function cancelledError(): ForgeError {
  return new ForgeError("CANCELLED", "The call was cancelled while it was waiting.");
}

function queueFull(waiting: number): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${waiting} others are already waiting for the same thing.`, {
    details: { waiting },
    next: ["Wait until some of them are finished, then call again."],
  });
}
