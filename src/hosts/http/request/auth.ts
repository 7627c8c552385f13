import { hash } from "node:crypto";
import type { SignedIn } from "../../../commons/people.ts";
import { HttpRefusal } from "../reply/refusals.ts";

type Authenticate = (bearer: string, team: string | undefined) => Promise<SignedIn | undefined>;

type Asked = { now: Promise<SignedIn | undefined>; next: Promise<SignedIn | undefined> | undefined };

type Known = { signedIn: SignedIn; until: number };

const knownForMs = 10_000;
const mostKnown = 1_000;

/** The token of an Authorization header; undefined where there is none or it is of another kind. */
export function bearerIn(header: string | undefined): string | undefined {
  return /^Bearer {1,8}([\x21-\x7e]{1,4096})$/i.exec(header ?? "")?.[1];
}

/**
 * Who tokens speak for, remembered for ten seconds so that not every look asks the database. What ends a token in this
 * process is heeded at once (`forget`); what another process does, by looks once those seconds are over, and by changes at
 * once: they always ask (`now`).
 */
export class KnownTokens {
  readonly #authenticate: Authenticate;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  /** Tokens that are being asked for, by those who must know. */
  readonly #asked = new Map<string, Asked>();
  #generation = 0;

  constructor(authenticate: Authenticate, now: () => number = () => performance.now()) {
    this.#authenticate = authenticate;
    this.#now = now;
  }

  async of(bearer: string, team: string | undefined): Promise<SignedIn | undefined> {
    const key = keyOf(bearer, team);
    const known = this.#known.get(key);
    if (known && known.until > this.#now()) return known.signedIn;
    return this.#ask(key, bearer, team);
  }

  /** As the database has it at this moment. Those who ask while it is being asked are told by the next answer, together. */
  async now(bearer: string, team: string | undefined): Promise<SignedIn | undefined> {
    const key = keyOf(bearer, team);
    const asked = this.#asked.get(key);
    if (!asked) return this.#askNext(key, bearer, team);
    asked.next ??= asked.now.then(
      () => this.#askNext(key, bearer, team),
      () => this.#askNext(key, bearer, team),
    );
    return asked.next;
  }

  /** Something that decides who may do what was changed. */
  forget(): void {
    this.#generation++;
    this.#known.clear();
  }

  #askNext(key: string, bearer: string, team: string | undefined): Promise<SignedIn | undefined> {
    const now = this.#ask(key, bearer, team);
    const asked: Asked = { now, next: undefined };
    this.#asked.set(key, asked);
    const done = () => {
      if (this.#asked.get(key) === asked && asked.next === undefined) this.#asked.delete(key);
    };
    now.then(done, done);
    return now;
  }

  async #ask(key: string, bearer: string, team: string | undefined): Promise<SignedIn | undefined> {
    const generation = this.#generation;
    const signedIn = await this.#authenticate(bearer, team);
    // A token that was ended while the database was asked must not come back.
    if (signedIn && generation === this.#generation) this.#remember(key, signedIn);
    else this.#known.delete(key);
    return signedIn;
  }

  #remember(key: string, signedIn: SignedIn): void {
    this.#known.delete(key);
    const [oldest] = this.#known.size >= mostKnown ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, { signedIn, until: this.#now() + knownForMs });
  }
}

function keyOf(bearer: string, team: string | undefined): string {
  // Neither has a line's end in it.
  return hash("sha256", `${team ?? ""}\n${bearer}`, "base64");
}

/** What every 401 carries: where a client learns how to get a token that is accepted. */
export function challengeOf(given: boolean, metadataUrl: string): string {
  return `Bearer ${given ? 'error="invalid_token", ' : ""}resource_metadata="${metadataUrl}"`;
}

/** The same words for a token that is unknown, garbled, expired or revoked: which of them it is helps only who guesses. */
export function signInNeeded(given: boolean, metadataUrl: string): HttpRefusal {
  return new HttpRefusal(
    401,
    {
      code: given ? "AUTH_FAILED" : "AUTH_REQUIRED",
      message: given ? "The token is not accepted." : "This needs a token.",
      next: given
        ? "Sign in again with `forge login`, or use another token."
        : "Sign in with `forge login`, or send the header Authorization: Bearer TOKEN.",
    },
    { "www-authenticate": challengeOf(given, metadataUrl) },
  );
}
