import type { Origin } from "../../../commons/people.ts";
import { wrongRefreshToken } from "../model/errors.ts";
import { legacyClientName } from "../model/legacy-client.ts";
import type { TokenPair } from "../model/model.ts";
import type { Audit } from "../service/audit.ts";
import type { AccessStore, Tx } from "../store/store.ts";
import type { GrantRow, Grants, IssuedPair, SecretRow } from "./grants.ts";
import { kindOfSecret } from "./secrets.ts";

/** So long after it was used a refresh token may come again from a client that never got the answer. */
const graceMs = 30_000;

/**
 * New pairs for refresh tokens, each of which works once. One that comes again was copied: as it is unknown whose copy is
 * the thief's, the sign-in ends. The one exception is a lost answer: shortly after, while nothing of
 * the pair that was answered has been used, the same token gives another pair in its place. forge-cli 1.0.1 never keeps the
 * new one, so its refresh token stays the same for as long as it is used.
 */
export class RefreshTokens {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #audit: Audit;

  constructor(store: AccessStore, grants: Grants, audit: Audit) {
    this.#store = store;
    this.#grants = grants;
    this.#audit = audit;
  }

  async exchange(refreshToken: string, from: Origin): Promise<TokenPair> {
    if (kindOfSecret(refreshToken) !== "refresh") throw wrongRefreshToken();
    // A guess must be cheap for the server: no change waits for it.
    if (!(await this.#store.database.read((db) => this.#grants.find(db, refreshToken)))) throw wrongRefreshToken();
    const pair = await this.#store.database.transaction((tx) => this.#exchange(tx, refreshToken, from));
    if (!pair) throw wrongRefreshToken();
    return pair;
  }

  /** Undefined where it is refused: what the refusal ends must be committed, so nothing is thrown in here. */
  async #exchange(tx: Tx, refreshToken: string, from: Origin): Promise<TokenPair | undefined> {
    const found = await this.#grants.find(tx, refreshToken);
    if (!found) return undefined;
    const { secret, grant } = found;
    if (!this.#grants.isLive(grant) || !this.#grants.isCurrent(secret.expires_at)) return undefined;
    const member = await this.#store.member(tx, grant.team_id, grant.user_id);
    const team = await this.#store.team(tx, grant.team_id);
    if (!member || !team) return undefined;
    if (grant.name === legacyClientName) {
      return { ...(await this.#grants.issueAccess(tx, grant, secret)), refreshToken, user: member.user, team };
    }
    if (secret.generation !== grant.generation) {
      if (!(await this.#answerWasLost(tx, secret, grant))) {
        await this.#end(tx, grant, member.user.email, from);
        return undefined;
      }
      await this.#withdraw(tx, grant);
    }
    const { generation, ...pair } = await this.#issue(tx, secret, grant);
    return { ...pair, user: member.user, team };
  }

  async #issue(tx: Tx, secret: SecretRow, grant: GrantRow): Promise<IssuedPair> {
    const issued = await this.#grants.issuePair(tx, grant);
    const used_at = secret.used_at ?? this.#store.now();
    await tx
      .updateTable("access_secret")
      .set({ used_at, successor: issued.generation })
      .where("hash", "=", secret.hash)
      .execute();
    return issued;
  }

  async #answerWasLost(tx: Tx, { used_at, successor }: SecretRow, grant: GrantRow): Promise<boolean> {
    if (used_at === null || successor !== grant.generation) return false;
    if (this.#store.now() - used_at > graceMs) return false;
    const used = await tx
      .selectFrom("access_secret")
      .select("hash")
      .where("grant_id", "=", grant.id)
      .where("generation", "=", grant.generation)
      .where("used_at", "is not", null)
      .executeTakeFirst();
    return used === undefined;
  }

  /** The pair that got lost; should its refresh token turn up after all, it is one too many. */
  async #withdraw(tx: Tx, { id, generation }: GrantRow): Promise<void> {
    await tx
      .deleteFrom("access_secret")
      .where("grant_id", "=", id)
      .where("generation", "=", generation)
      .where("kind", "=", "access")
      .execute();
  }

  async #end(tx: Tx, grant: GrantRow, actor: string, from: Origin): Promise<void> {
    await this.#grants.end(tx, grant.id);
    await this.#audit.add(tx, [grant.team_id], from, {
      actor,
      action: "token.reused",
      target: grant.id,
      details: { name: grant.name },
    });
  }
}
