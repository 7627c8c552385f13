import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** How long one wish to write may wait for others before it is refused, all attempts together. */
export const writeBudgetMs = 15_000;

type RetryOptions = {
  budgetMs: number;
  /** Whether trying again may help. */
  retryable(error: unknown): boolean;
};

/**
 * Tries until it works, fails for another reason, or the budget is spent; then throws the last error. The pauses are random
 * so that processes that collided once do not collide again, and short so that a free moment is not missed.
 */
export async function retryWithin<T>({ budgetMs, retryable }: RetryOptions, attempt: () => Promise<T> | T): Promise<T> {
  const deadline = performance.now() + budgetMs;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!retryable(error) || performance.now() >= deadline) throw error;
    }
    await pause(1 + Math.random() * Math.min(4 * tries, 24));
    // Attempts that block follow each other from timer to timer; the holder of the lock must get its turn in between.
    await nextTurn();
  }
}
