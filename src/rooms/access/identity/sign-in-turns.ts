import { createHmac, randomBytes } from "node:crypto";
import { networkOf } from "./network.ts";

const maxTurns = 10_000;
/** How long after its time a turn is still there. */
const graceMs = 10 * 60_000;

/** Who tries to sign in, with what. */
type Attempt = { email: string; address: string; password: string };

/**
 * Attempts that are to come again later: a request is not held open for a minute, so the caller is told when to come back, and
 * the same attempt is then made without a further wait. In memory only, under a key that nobody knows, since a password is in it.
 */
export class SignInTurns {
  readonly #key = randomBytes(32);
  readonly #times = new Map<string, number>();

  /** Of the attempt; nothing can be read from it. */
  nameOf({ email, address, password }: Attempt): string {
    const attempt = JSON.stringify([email, networkOf(address), password]);
    return createHmac("sha256", this.#key).update(attempt).digest("base64");
  }

  /** How long it is until its turn; undefined if it has none. */
  leftMs(name: string, now: number): number | undefined {
    const time = this.#times.get(name);
    if (time === undefined) return undefined;
    if (now - time <= graceMs) return Math.max(0, time - now);
    this.#times.delete(name);
    return undefined;
  }

  add(name: string, time: number): void {
    const [oldest] = this.#times.keys();
    if (oldest !== undefined && this.#times.size >= maxTurns) this.#times.delete(oldest);
    this.#times.set(name, time);
  }

  delete(name: string): void {
    this.#times.delete(name);
  }
}
