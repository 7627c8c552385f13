import { hash } from "node:crypto";
import type { SignedIn } from "../../../commons/people.ts";
import { HttpError } from "../reply/http-error.ts";

type Authenticate = (bearer: string, team: string | undefined) => Promise<SignedIn | undefined>;

type PendingLookup = { now: Promise<SignedIn | undefined>; next: Promise<SignedIn | undefined> | undefined };

type KnownToken = { signedIn: SignedIn; until: number };

const knownForMs = 10_000;
const maxKnown = 1_000;

/** The token of an Authorization header; undefined where there is none or it is of another kind. */
export function parseBearer(header: string | undefined): string | undefined {
  return /^Bearer {1,8}([\x21-\x7e]{1,4096})$/i.exec(header ?? "")?.[1];
}

/**
 * Who tokens belong to, remembered for ten seconds so that not every read asks the database. A token that is revoked in this
 * process is rejected at once (`forget`). One that another process revokes is rejected by changes at once, since they always
 * ask (`now`), and by reads after those seconds.
 */
export class KnownTokens {
  readonly #authenticate: Authenticate;
  readonly #now: () => number;
  readonly #known = new Map<string, KnownToken>();
  /** Tokens that are being looked up for changes. */
  readonly #asked = new Map<string, PendingLookup>();
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

  /** As the database has it now. Callers that come during a lookup share the next one. */
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

  /** Permissions, tokens or members were changed. */
  forget(): void {
    this.#generation++;
    this.#known.clear();
  }

  #askNext(key: string, bearer: string, team: string | undefined): Promise<SignedIn | undefined> {
    const now = this.#ask(key, bearer, team);
    const asked: PendingLookup = { now, next: undefined };
    this.#asked.set(key, asked);
    const finish = () => {
      if (this.#asked.get(key) === asked && asked.next === undefined) this.#asked.delete(key);
    };
    now.then(finish, finish);
    return now;
  }

  async #ask(key: string, bearer: string, team: string | undefined): Promise<SignedIn | undefined> {
    const generation = this.#generation;
    const signedIn = await this.#authenticate(bearer, team);
    // A token that was revoked during the lookup must not come back.
    if (signedIn && generation === this.#generation) this.#remember(key, signedIn);
    else this.#known.delete(key);
    return signedIn;
  }

  #remember(key: string, signedIn: SignedIn): void {
    this.#known.delete(key);
    const [oldest] = this.#known.size >= maxKnown ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, { signedIn, until: this.#now() + knownForMs });
  }
}

function keyOf(bearer: string, team: string | undefined): string {
  // Neither contains a line break.
  return hash("sha256", `${team ?? ""}\n${bearer}`, "base64");
}

/** What every 401 carries: where a client learns how to get a token. */
export function challengeOf(given: boolean, metadataUrl: string): string {
  return `Bearer ${given ? 'error="invalid_token", ' : ""}resource_metadata="${metadataUrl}"`;
}

/** The same message for a token that is unknown, malformed, expired or revoked: the difference only helps an attacker. */
export function signInNeeded(given: boolean, metadataUrl: string): HttpError {
  return new HttpError(
    401,
    {
      code: given ? "AUTH_FAILED" : "AUTH_REQUIRED",
      message: given ? "The token is not accepted." : "A token is required.",
      next: given
        ? [{ command: "login", why: "to sign in again, or use another token" }]
        : [{ command: "login", why: "to sign in" }, "Or send the header Authorization: Bearer TOKEN."],
    },
    { "www-authenticate": challengeOf(given, metadataUrl) },
  );
}
