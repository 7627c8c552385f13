import type { Origin, SignedIn } from "../../../commons/people.ts";
import { needsPerson, notFound, tooManyTokens, wrongDays, wrongScopes } from "../model/errors.ts";
import { isId, requireName } from "../model/fields.ts";
import type { NewToken, TokenInfo } from "../model/model.ts";
import { allScopes, ciScope, requireAdmin, requireScope, roleNamed, scopesWithin } from "../model/roles.ts";
import type { Audit } from "../service/audit.ts";
import { type AccessStore, userFromRow } from "../store/store.ts";
import { findTokenUser } from "../store/token-user.ts";
import { type Grants, tokenInfo } from "./grants.ts";
import { hashOf, kindOfSecret, sameHash } from "./secrets.ts";

const dayMs = 24 * 60 * 60_000;
const maxDays = 3650;
/** Of one member in one team: all of them are listed at once, and ended at once with the membership. */
const maxTokens = 1_000;

/** How stale `lastUsedAt` may be: a write at every request would cost more than the request. */
const lastUsedStepMs = 5 * 60_000;

/** Tokens as callers show them, and as people make, list and end them. */
export class Tokens {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #audit: Audit;

  constructor(store: AccessStore, grants: Grants, audit: Audit) {
    this.#store = store;
    this.#grants = grants;
    this.#audit = audit;
  }

  /** A sign-in is valid in each of the user's teams, an API token only in the team it was created for. */
  async authenticate(bearer: string, teamId: string | undefined): Promise<SignedIn | undefined> {
    const kind = kindOfSecret(bearer);
    if (kind !== "access" && kind !== "personal") return undefined;
    const named = teamId === "" ? undefined : teamId;
    if (named !== undefined && !isId(named)) return undefined;
    const hash = hashOf(bearer);
    const row = await this.#store.database.read((db) => findTokenUser(db, this.#store.database.engine, hash, named));
    if (!row || !sameHash(row.hash, hash)) return undefined;
    if (!this.#grants.isLive(row) || !this.#grants.isCurrent(row.secret_until)) return undefined;
    if (kind === "personal" && row.team_id !== row.own_team_id) return undefined;
    if (!(await this.#noteUse(row))) return undefined;
    const role = roleNamed(row.role);
    return {
      user: userFromRow({ id: row.user_id, email: row.email, display_name: row.display_name }),
      team: { id: row.team_id, name: row.team_name, slug: row.slug },
      role,
      scopes: scopesWithin(role, row.scopes.split(" ")),
      tokenId: row.grant_id,
      ...(kind === "personal" && { apiToken: true as const }),
    };
  }

  async create(by: SignedIn, token: NewToken, from: Origin): Promise<TokenInfo & { secret: string }> {
    const name = requireName("name of the token", token.name);
    const scopes = allScopes.filter((scope) => token.scopes.includes(scope));
    if (scopes.length === 0 || scopes.length !== new Set(token.scopes).size) {
      throw wrongScopes(allScopes);
    }
    for (const scope of scopes)
      if (scope === ciScope) requireAdmin(by, "access:write");
      else requireScope(by, scope);
    if (token.days !== undefined && !(Number.isInteger(token.days) && token.days >= 1 && token.days <= maxDays)) {
      throw wrongDays(maxDays);
    }
    const expiresAt = token.days === undefined ? undefined : this.#store.now() + token.days * dayMs;
    return this.#store.database.transaction(async (tx) => {
      // Otherwise a stolen token of one day could create one that never expires.
      await this.#grants.requirePerson(tx, by);
      const member = await this.#store.member(tx, by.team.id, by.user.id);
      if (!member) throw needsPerson();
      const whose = { userId: by.user.id, teamId: by.team.id };
      if ((await this.#grants.countPersonal(tx, whose)) >= maxTokens) throw tooManyTokens(maxTokens);
      const grant = await this.#grants.add(tx, { kind: "personal", ...whose, name, scopes, expiresAt });
      const secret = await this.#grants.issuePersonal(tx, grant);
      await this.#audit.did(tx, by, "token.created", grant.id, from, { name, scopes, days: token.days });
      return { ...tokenInfo(grant, by.user.email), secret };
    });
  }

  /** The caller's own; an admin sees all of the team's. */
  async list(by: SignedIn): Promise<TokenInfo[]> {
    requireScope(by, "access:read");
    const whose = by.role === "admin" ? undefined : by.user.id;
    return this.#store.database.read((db) => this.#grants.list(db, by.team.id, whose));
  }

  /** What the caller may not see is answered as not found. */
  revoke(by: SignedIn, id: string, from: Origin): Promise<void> {
    return this.#store.database.transaction(async (tx) => {
      const grant = isId(id) ? await this.#grants.byId(tx, id) : undefined;
      const isAdmin = (await this.#store.member(tx, by.team.id, by.user.id))?.role === "admin";
      const isSeen = grant?.team_id === by.team.id && (isAdmin || grant.user_id === by.user.id);
      if (!grant || !isSeen || !this.#grants.isLive(grant)) throw notFound("token", id);
      const own = await this.#grants.byId(tx, by.tokenId);
      const isPerson = (by.browser || own?.kind === "sign-in") && grant.user_id === by.user.id;
      if (grant.id !== by.tokenId && !isPerson) requireScope(by, "access:write");
      await this.#grants.end(tx, grant.id);
      await this.#audit.did(tx, by, "token.revoked", grant.id, from, { name: grant.name });
    });
  }

  /** Anyone who holds a secret of it can end it; one that does not exist has ended. */
  async end(bearer: string, from: Origin): Promise<void> {
    if (kindOfSecret(bearer) === undefined) return;
    await this.#store.database.transaction(async (tx) => {
      const found = await this.#grants.find(tx, bearer);
      if (!found || !this.#grants.isLive(found.grant)) return;
      const { grant } = found;
      const user = await this.#store.user(tx, grant.user_id);
      await this.#grants.end(tx, grant.id);
      const happening = { actor: user?.email ?? "", action: "token.ended", target: grant.id };
      await this.#audit.add(tx, [grant.team_id], from, { ...happening, details: { name: grant.name } });
    });
  }

  /**
   * That a pair was used decides whether its answer may have been lost, so the first use is written before it counts. False
   * where the secret was withdrawn at that moment.
   */
  async #noteUse(row: { hash: string; grant_id: string; used_at: number | null; last_used_at: number | null }) {
    const now = this.#store.now();
    if (row.used_at !== null && now - (row.last_used_at ?? 0) < lastUsedStepMs) return true;
    return this.#store.database.transaction(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable("access_secret")
        .set({ used_at: row.used_at ?? now })
        .where("hash", "=", row.hash)
        .executeTakeFirst();
      await tx.updateTable("access_grant").set({ last_used_at: now }).where("id", "=", row.grant_id).execute();
      return numUpdatedRows === 1n;
    });
  }
}
