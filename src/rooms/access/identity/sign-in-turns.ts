import { createHmac, randomBytes } from "node:crypto";
import { networkOf, siteOf } from "./network.ts";

/** Of one site, and in all. A guesser with many addresses must not push out the turns of others. */
const maxTurns = { each: 1_000, all: 100_000 };
/** How long after its time a turn is still there. */
const graceMs = 10 * 60_000;

/** Who tries to sign in, with what. */
type Attempt = { email: string; address: string; password: string };

/** Which of a site's turns it is. */
type Turn = { site: string; name: string };

/**
 * Attempts that are to come again later: a request is not held open for a minute, so the caller is told when to come back, and
 * the same attempt is then made without a further wait. In memory only, under a key that nobody knows, since a password is in it.
 */
export class SignInTurns {
  readonly #key = randomBytes(32);
  readonly #sites = new Map<string, Map<string, number>>();
  #count = 0;

  /** Of the attempt; no password can be read from it. */
  turnOf({ email, address, password }: Attempt): Turn {
    const attempt = JSON.stringify([email, networkOf(address), password]);
    return { site: siteOf(address), name: createHmac("sha256", this.#key).update(attempt).digest("base64") };
  }

  /** How long it is until its turn; undefined if it has none. */
  leftMs(turn: Turn, now: number): number | undefined {
    const time = this.#sites.get(turn.site)?.get(turn.name);
    if (time === undefined) return undefined;
    if (now - time <= graceMs) return Math.max(0, time - now);
    this.delete(turn);
    return undefined;
  }

  add(turn: Turn, time: number): void {
    this.delete(turn);
    const own = this.#sites.get(turn.site)?.size ?? 0;
    if (own >= maxTurns.each) this.#deleteOldest(turn.site);
    else if (this.#count >= maxTurns.all) this.#deleteOldest(this.#sites.keys().next().value);
    const turns = this.#sites.get(turn.site) ?? new Map<string, number>();
    this.#sites.set(turn.site, turns.set(turn.name, time));
    this.#count++;
  }

  delete({ site, name }: Turn): void {
    const turns = this.#sites.get(site);
    if (!turns?.delete(name)) return;
    this.#count--;
    if (turns.size === 0) this.#sites.delete(site);
  }

  #deleteOldest(site = ""): void {
    const [name] = this.#sites.get(site)?.keys() ?? [];
    if (name !== undefined) this.delete({ site, name });
  }
}
