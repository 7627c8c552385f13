import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { SignedIn } from "../../../commons/people.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { needsPerson, needsSession } from "../model/errors.ts";
import type { TokenInfo } from "../model/model.ts";
import type { AccessTables } from "../store/schema.ts";
import type { AccessStore, Db, Tx } from "../store/store.ts";
import { hashOf, newSecret, sameHash } from "./secrets.ts";

const lifetimes = { access: 15 * 60_000, refresh: 30 * 24 * 60 * 60_000 };

export type GrantRow = Selectable<AccessTables["access_grant"]>;
export type SecretRow = Selectable<AccessTables["access_secret"]>;
export type IssuedPair = { accessToken: string; refreshToken: string; expiresAt: string; generation: number };

type NewGrant = {
  kind: "sign-in" | "personal";
  userId: string;
  teamId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: number | undefined;
};

/** What was granted to whom, and the secrets that prove it, in SQL for both engines. */
export class Grants {
  readonly #store: AccessStore;

  constructor(store: AccessStore) {
    this.#store = store;
  }

  async add(tx: Tx, { kind, userId, teamId, name, scopes, expiresAt }: NewGrant): Promise<GrantRow> {
    const row = {
      id: randomUUID(),
      kind,
      user_id: userId,
      team_id: teamId,
      name,
      scopes: scopes.join(" "),
      created_at: this.#store.now(),
      expires_at: expiresAt ?? null,
      last_used_at: null,
      ended_at: null,
      generation: 0,
    };
    await tx.insertInto("access_grant").values(row).execute();
    return row;
  }

  async issuePersonal(tx: Tx, grant: GrantRow): Promise<string> {
    const secret = newSecret("personal");
    await this.#keep(tx, grant.id, "personal", secret, 0, grant.expires_at);
    return secret;
  }

  /** The next pair of a sign-in, and forgets its secrets that have expired by themselves. */
  async issuePair(tx: Tx, grant: GrantRow): Promise<IssuedPair> {
    const now = this.#store.now();
    const generation = grant.generation + 1;
    const [accessToken, refreshToken] = [newSecret("access"), newSecret("refresh")];
    const [accessUntil, refreshUntil] = [now + lifetimes.access, now + lifetimes.refresh];
    await tx.deleteFrom("access_secret").where("grant_id", "=", grant.id).where("expires_at", "<=", now).execute();
    await this.#keep(tx, grant.id, "access", accessToken, generation, accessUntil);
    await this.#keep(tx, grant.id, "refresh", refreshToken, generation, refreshUntil);
    await tx
      .updateTable("access_grant")
      .set({ generation, expires_at: refreshUntil })
      .where("id", "=", grant.id)
      .execute();
    return { accessToken, refreshToken, expiresAt: new Date(accessUntil).toISOString(), generation };
  }

  /** Another access token beside the same refresh token, which then lasts as long as a new one would. */
  async issueAccess(
    tx: Tx,
    grant: GrantRow,
    refresh: SecretRow,
  ): Promise<Pick<IssuedPair, "accessToken" | "expiresAt">> {
    const now = this.#store.now();
    const [accessUntil, refreshUntil] = [now + lifetimes.access, now + lifetimes.refresh];
    const accessToken = newSecret("access");
    // Others stay until they expire: it asks for several at once, and uses each.
    await tx.deleteFrom("access_secret").where("grant_id", "=", grant.id).where("expires_at", "<=", now).execute();
    await this.#keep(tx, grant.id, "access", accessToken, grant.generation, accessUntil);
    await tx
      .updateTable("access_secret")
      .set({ expires_at: refreshUntil, used_at: now })
      .where("hash", "=", refresh.hash)
      .execute();
    await tx.updateTable("access_grant").set({ expires_at: refreshUntil }).where("id", "=", grant.id).execute();
    return { accessToken, expiresAt: new Date(accessUntil).toISOString() };
  }

  /** The secret and its grant, whether or not it is still valid. */
  async find(db: Db | Tx, secret: string): Promise<{ secret: SecretRow; grant: GrantRow } | undefined> {
    const hash = hashOf(secret);
    const row = await db.selectFrom("access_secret").selectAll().where("hash", "=", hash).executeTakeFirst();
    if (!row || !sameHash(row.hash, hash)) return undefined;
    const grant = await this.byId(db, row.grant_id);
    return grant && { secret: row, grant };
  }

  /** The live ones that a member has made by name. */
  async countPersonal(tx: Tx, { userId, teamId }: Pick<NewGrant, "userId" | "teamId">): Promise<number> {
    const { count } = await tx
      .selectFrom("access_grant")
      .select((is) => is.fn.countAll<number | string>().as("count"))
      .where("team_id", "=", teamId)
      .where("user_id", "=", userId)
      .where("kind", "=", "personal")
      .where("ended_at", "is", null)
      .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", this.#store.now())]))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  byId(db: Db | Tx, id: string): Promise<GrantRow | undefined> {
    return db.selectFrom("access_grant").selectAll().where("id", "=", id).executeTakeFirst();
  }

  isLive({ ended_at, expires_at }: Pick<GrantRow, "ended_at" | "expires_at">): boolean {
    return ended_at === null && this.isCurrent(expires_at);
  }

  isCurrent(expiresAt: number | null): boolean {
    return expiresAt === null || expiresAt > this.#store.now();
  }

  async end(tx: Tx, id: string): Promise<void> {
    await tx.updateTable("access_grant").set({ ended_at: this.#store.now() }).where("id", "=", id).execute();
    await tx.deleteFrom("access_secret").where("grant_id", "=", id).execute();
    this.#store.revocations.announce(tx);
  }

  async endAllOf(tx: Tx, teamId: string, userId: string): Promise<void> {
    const rows = await tx
      .selectFrom("access_grant")
      .select("id")
      .where("team_id", "=", teamId)
      .where("user_id", "=", userId)
      .where("ended_at", "is", null)
      .execute();
    for (const { id } of rows) await this.end(tx, id);
  }

  /** In all of their teams, with the devices that they have approved and that have not signed in yet. */
  async endEveryOf(tx: Tx, userId: string): Promise<void> {
    const devices = tx.updateTable("access_device").set({ state: "denied" }).where("user_id", "=", userId);
    await devices.where("state", "=", "approved").execute();
    const live = tx.selectFrom("access_grant").select("id").where("user_id", "=", userId);
    for (const { id } of await live.where("ended_at", "is", null).execute()) await this.end(tx, id);
  }

  /** Otherwise a stolen API token could extend its own access. */
  async requirePerson(tx: Tx, by: SignedIn): Promise<void> {
    if (by.browser) return this.#requireSession(tx, by.browser.sessionHash);
    const own = await this.byId(tx, by.tokenId);
    if (own?.kind !== "sign-in" || !this.isLive(own)) throw needsPerson();
  }

  /** It may have been ended since the request came. */
  async #requireSession(tx: Tx, hash: string): Promise<void> {
    const session = tx.selectFrom("access_session").select("expires_at").where("hash", "=", hash);
    const found = await session.executeTakeFirst();
    if (!found || !this.isCurrent(found.expires_at)) throw needsSession();
  }

  /** A team's live ones, of one member or of all, oldest first. */
  async list(db: Db, teamId: string, userId: string | undefined): Promise<TokenInfo[]> {
    let rows = db
      .selectFrom("access_grant")
      .innerJoin("access_user", "access_user.id", "access_grant.user_id")
      .selectAll("access_grant")
      .select("email")
      .where("team_id", "=", teamId)
      .where("ended_at", "is", null)
      .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", this.#store.now())]));
    if (userId !== undefined) rows = rows.where("user_id", "=", userId);
    const found = await rows.orderBy("access_grant.created_at").orderBy("access_grant.id").execute();
    return found.map((row) => tokenInfo(row, row.email));
  }

  async #keep(
    tx: Tx,
    grantId: string,
    kind: "access" | "refresh" | "personal",
    secret: string,
    generation: number,
    expiresAt: number | null,
  ): Promise<void> {
    const row = { hash: hashOf(secret), grant_id: grantId, kind, generation, expires_at: expiresAt };
    await tx
      .insertInto("access_secret")
      .values({ ...row, used_at: null, successor: null })
      .execute();
  }
}

export function tokenInfo(grant: GrantRow, owner: string): TokenInfo {
  const { id, name, scopes, created_at, expires_at, last_used_at } = grant;
  return {
    id,
    name,
    owner,
    scopes: scopes.split(" ") as Scope[],
    createdAt: new Date(created_at).toISOString(),
    ...(expires_at !== null && { expiresAt: new Date(expires_at).toISOString() }),
    ...(last_used_at !== null && { lastUsedAt: new Date(last_used_at).toISOString() }),
  };
}
