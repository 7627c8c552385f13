import { randomUUID } from "node:crypto";
import { ForgeError } from "../../../kernel/errors.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../../platform/files/write/private-file.ts";

/** Longer than a refresh can take: the process of a lock this old has ended. */
const abandonedAfterMs = 30_000;

/**
 * One process at a time renews a sign-in: a refresh token can be used once, and a server takes a second use for theft.
 * Should two take an abandoned lock over in the same moment, the server's grace for a repeated refresh is what helps.
 */
export class RefreshLock {
  readonly #path: string;
  readonly #now: () => number;

  constructor(path: string, now: () => number = Date.now) {
    this.#path = path;
    this.#now = now;
  }

  /** How to give it back; undefined while another process has it. */
  async take(): Promise<(() => Promise<void>) | undefined> {
    const mark = `${this.#now()} ${randomUUID()}\n`;
    try {
      await writePrivateFile(this.#path, mark, { mustBeNew: true });
      return () => this.#giveBack(mark);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "CONFLICT_ERROR") throw error;
    }
    const held = await this.#read();
    if (held !== undefined && this.#isAbandoned(held)) await removePrivateFile(this.#path);
    return undefined;
  }

  /** Another process may have taken it for abandoned. */
  async #giveBack(mark: string): Promise<void> {
    if ((await this.#read()) === mark) await removePrivateFile(this.#path);
  }

  async #read(): Promise<string | undefined> {
    return (await readPrivateFile(this.#path))?.toString();
  }

  /** A time in the future was written before the clock was set back. */
  #isAbandoned(mark: string): boolean {
    const age = this.#now() - Number(mark.split(" ", 1)[0]);
    return !(age >= 0 && age < abandonedAfterMs);
  }
}
