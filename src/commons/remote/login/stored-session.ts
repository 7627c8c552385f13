import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { Log } from "../../../platform/log.ts";
import { type ServerAddress, serverAddress } from "../address.ts";
import { notSignedIn, sessionExpired } from "../errors.ts";
import type { ConfigFile, StoredLogin } from "./config-file.ts";
import type { Credentials, Identity } from "./credentials.ts";
import { RefreshLock } from "./refresh-lock.ts";

/** What a server says to a refresh token. Some give a new one each time, some never. */
export const renewedTokens = z.object({
  accessToken: z.string().min(1).max(16_384),
  refreshToken: z.string().min(1).max(16_384).optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});

export type RenewedTokens = z.output<typeof renewedTokens>;

export type StoredSessionOptions = {
  address: ServerAddress;
  file: ConfigFile;
  /** The team to work in instead of the sign-in's own: that of the project. */
  team?: string | undefined;
  /** Asks the server; undefined where it does not accept the token. */
  refresh(refreshToken: string): Promise<RenewedTokens | undefined>;
  redactor: Redactor;
  log: Log;
  lock?: RefreshLock;
  pause?(ms: number): Promise<unknown>;
};

const lookAgainMs = 50;

/** The sign-in in the user's configuration file, shared by all their Forge processes. */
export class StoredSession implements Credentials {
  readonly #options: StoredSessionOptions;
  readonly #lock: RefreshLock;
  readonly #pause: (ms: number) => Promise<unknown>;
  #held: StoredLogin | undefined;
  #renewing: Promise<StoredLogin> | undefined;

  constructor(options: StoredSessionOptions) {
    this.#options = options;
    this.#lock = options.lock ?? new RefreshLock(`${options.file.path}.lock`);
    this.#pause = options.pause ?? sleep;
  }

  async current(): Promise<Identity> {
    this.#held ??= await this.#read();
    return this.#identityOf(this.#held);
  }

  /** However many calls were refused at once, one refresh serves them all. */
  async renew(refused: string): Promise<Identity> {
    if (this.#held && this.#held.accessToken !== refused) return this.#identityOf(this.#held);
    this.#renewing ??= this.#renew(refused).finally(() => (this.#renewing = undefined));
    this.#held = await this.#renewing;
    return this.#identityOf(this.#held);
  }

  refusal(): ForgeError {
    return sessionExpired();
  }

  #identityOf({ accessToken, teamId, userId, user }: StoredLogin): Identity {
    const name = user.displayName || user.email;
    const team = this.#options.team ?? (teamId === "" ? undefined : teamId);
    return { token: accessToken, team, userId, name, isGiven: false };
  }

  /** Another process may have renewed it before us, or be about to. */
  async #renew(refused: string): Promise<StoredLogin> {
    for (;;) {
      const stored = await this.#read();
      if (stored.accessToken !== refused) return stored;
      const giveBack = await this.#lock.take();
      if (!giveBack) {
        await this.#pause(lookAgainMs);
        continue;
      }
      try {
        const latest = await this.#read();
        return latest.accessToken === refused ? await this.#refresh(latest) : latest;
      } finally {
        await giveBack();
      }
    }
  }

  async #refresh(stored: StoredLogin): Promise<StoredLogin> {
    const renewed = await this.#options.refresh(stored.refreshToken);
    if (!renewed) throw this.refusal();
    const { accessToken, refreshToken = stored.refreshToken, expiresAt = stored.expiresAt } = renewed;
    const login = { ...stored, accessToken, refreshToken, expiresAt };
    this.#learn(login);
    try {
      await this.#options.file.write(login);
    } catch (error) {
      // The new token works: only the next process will have to sign in again.
      const why = error instanceof ForgeError ? error.message : "";
      this.#options.log("warning", `The renewed sign-in could not be saved; you may have to sign in again. ${why}`);
    }
    return login;
  }

  async #read(): Promise<StoredLogin> {
    const { file, address } = this.#options;
    const stored = await file.read();
    if (!stored) throw notSignedIn("You are not signed in to a Forge server.");
    if (stored.apiUrl !== undefined && serverAddress(stored.apiUrl, file.path).api !== address.api) {
      throw notSignedIn(
        `You are signed in to another server than ${address.origin}, and its token is only valid there.`,
      );
    }
    this.#learn(stored);
    return stored;
  }

  #learn({ accessToken, refreshToken }: StoredLogin): void {
    this.#options.redactor.learn(accessToken);
    this.#options.redactor.learn(refreshToken);
  }
}
