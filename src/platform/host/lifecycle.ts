import { errorCode } from "./error-code.ts";

/** How the process ends: by signal, by the client's going, by a fault. Each way runs the same steps, once, in bounded time. */

const budgetMs = 1_500;
const parentCheckMs = 500;

export class Lifecycle {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #ending: Promise<never> | undefined;
  #isFailure = false;
  #budgetMs = budgetMs;
  #work: Promise<unknown> | undefined;

  #controller: AbortController | undefined;

  /** Aborted when the end begins; every call under way hangs on it. Made when first asked for: a short command never is. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ending) this.#controller.abort();
    return this.#controller.signal;
  }

  /** A step of the end: flush, close, kill. Run in reverse order of adding. */
  onEnd(step: () => void | Promise<void>): void {
    this.#steps.unshift(step);
  }

  /** What is to have a result: cut off by a signal, it may still say how far it came, while what it needs is there. */
  during<Result>(work: Promise<Result>): Promise<Result> {
    this.#work = work;
    return work;
  }

  /** For steps that wait for others: they may take this long, and no longer. */
  allowForEnd(ms: number): void {
    this.#budgetMs = ms;
  }

  /** Ends the process, at once where the steps take too long. Called again it waits with the first caller. */
  end(code: number): Promise<never> {
    this.#ending ??= this.#runSteps(code);
    return this.#ending;
  }

  async #runSteps(code: number): Promise<never> {
    if (!this.#controller && this.#steps.length === 0) process.exit(code);
    setTimeout(() => process.exit(code), this.#budgetMs).unref();
    this.#controller?.abort();
    // What hangs on the signal has its turn first: calls that are cut off still write how they ended.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isFailure) await this.#work?.catch(() => undefined);
    for (const step of this.#steps) {
      try {
        await step();
      } catch {
        // A step that fails must not keep the others from running; there is nobody left to tell.
      }
    }
    process.exit(code);
  }

  /**
   * SIGINT is what a person's Ctrl+C sends, SIGHUP a closed terminal; Windows knows the first two. A second signal ends
   * the process at once.
   */
  endOnSignals(): void {
    const end = (_name: string, number: number) => {
      const code = this.#isFailure ? 128 + number : 0;
      if (this.#ending) process.exit(code);
      void this.end(code);
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  }

  /** From now on a signal cuts something off that was to have a result; the exit code then says so, as shells have it. */
  failOnSignals(): void {
    this.#isFailure = true;
  }

  /**
   * Where the parent is killed, stdin may stay open (another process holds it). POSIX then gives us a new parent; Windows
   * keeps the old number, so there the old parent's absence is what shows.
   */
  endWithParent(): void {
    const parent = process.ppid;
    if (parent <= 1) return;
    setInterval(() => {
      if (process.ppid !== parent || !isAlive(parent)) void this.end(0);
    }, parentCheckMs).unref();
  }

  /** A fault outside any call: said in one line, and the process ends rather than going on in an unknown state. */
  endOnFaults(report: (error: unknown) => void): void {
    const fault = (error: unknown) => {
      report(error);
      void this.end(1);
    };
    process.on("uncaughtException", fault);
    process.on("unhandledRejection", fault);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
