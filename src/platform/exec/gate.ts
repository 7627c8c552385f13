import { ForgeError } from "../../kernel/errors.ts";

type Turn = { begin(): void };

/** Lets one piece of work per key run at a time; others wait in the order they came, and only so many of them. */
export class Gate {
  readonly #mostWaiting: number;
  /** Keys at work, each with who waits for it. */
  readonly #queues = new Map<string, Turn[]>();

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Does the work when its turn comes. Whoever is cancelled while waiting leaves the queue. */
  async pass<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw cancelled();
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
    if (queue.length >= this.#mostWaiting) throw full(this.#mostWaiting);
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(turn), 1);
        reject(cancelled());
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

function cancelled(): ForgeError {
  return new ForgeError("CANCELLED", "The call was cancelled while it waited for its turn.");
}

function full(most: number): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${most} others already wait for the same thing.`, {
    details: { waiting: most },
    next: ["Wait until some of them are done, then call again."],
  });
}
