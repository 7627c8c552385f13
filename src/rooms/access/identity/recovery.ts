import type { Selectable } from "kysely";
import type { Origin, SignedIn, User } from "../../../commons/people.ts";
import { needsEveryTeam, needsSession, notFound, signsInElsewhere, wrongReset } from "../model/errors.ts";
import { isId, normalEmail, requirePassword } from "../model/fields.ts";
import type { ResetLink } from "../model/model.ts";
import { requireAdmin } from "../model/roles.ts";
import { type Audit, serverBook } from "../service/audit.ts";
import type { AccessTables } from "../store/schema.ts";
import type { AccessStore, Db, Tx } from "../store/store.ts";
import type { Grants } from "../tokens/grants.ts";
import { hashOf, kindOfSecret, newSecret } from "../tokens/secrets.ts";
import { type Lockouts, signInLimits } from "./lockouts.ts";
import type { Passwords } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";

const lifetimeMs = 60 * 60_000;

type ResetRow = Selectable<AccessTables["access_reset"]>;

/** New passwords: with a link for users who forgot theirs, and with the current one. */
export class Recovery {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #sessions: Sessions;
  readonly #signIn: SignIn;
  readonly #lockouts: Lockouts;
  readonly #passwords: Passwords;
  readonly #audit: Audit;

  constructor(parts: {
    store: AccessStore;
    grants: Grants;
    sessions: Sessions;
    signIn: SignIn;
    lockouts: Lockouts;
    passwords: Passwords;
    audit: Audit;
  }) {
    this.#store = parts.store;
    this.#grants = parts.grants;
    this.#sessions = parts.sessions;
    this.#signIn = parts.signIn;
    this.#lockouts = parts.lockouts;
    this.#passwords = parts.passwords;
    this.#audit = parts.audit;
  }

  /**
   * Only if the caller is an admin of all the user's teams: otherwise an admin of one team could get into another as that user.
   * Not for a user of an OpenID provider, who would never notice that the account has a password.
   */
  async createLink(by: SignedIn, userId: string, from: Origin): Promise<ResetLink> {
    requireAdmin(by, "access:write");
    return this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      await this.#grants.requirePerson(tx, by);
      const member = isId(userId) ? await this.#store.member(tx, by.team.id, userId) : undefined;
      if (!member) throw notFound("member", userId);
      if (await this.#store.isLinked(tx, userId)) throw signsInElsewhere();
      const teams = await this.#store.teamsOf(tx, userId);
      for (const team of teams) {
        if ((await this.#store.member(tx, team, by.user.id))?.role !== "admin") throw needsEveryTeam();
      }
      const made = await this.#make(tx, userId, by.user.id);
      const details = { email: member.user.email, token: by.tokenId };
      const happening = { actor: by.user.email, action: "password.reset-link", target: userId, details };
      await this.#audit.add(tx, teams, from, happening);
      return made;
    });
  }

  async createHostLink(typed: string): Promise<ResetLink> {
    const email = normalEmail(typed);
    return this.#store.database.transaction(async (tx) => {
      const user = await this.#store.userByEmail(tx, email);
      if (!user) throw notFound("user", email);
      const made = await this.#make(tx, user.id, null);
      const happening = { actor: "the server's host", action: "password.reset-link", target: user.id };
      await this.#audit.add(
        tx,
        await this.#booksOf(tx, user.id),
        { address: "" },
        { ...happening, details: { email } },
      );
      return made;
    });
  }

  /** The user whose password it sets; undefined if it was used or replaced, has expired or is unknown. */
  async userOf(code: string): Promise<User | undefined> {
    return this.#store.database.read(async (db) => {
      const row = await this.#find(db, code);
      return row && this.#store.user(db, row.user_id);
    });
  }

  /** Everyone else who knows the old password or holds a token of theirs is signed out. */
  async reset(code: string, password: string, from: Origin): Promise<User> {
    // Checked before the costly hashing too: a guess must be cheap for the server.
    if (!(await this.userOf(code))) throw wrongReset();
    const hash = await this.#passwords.hash(requirePassword(password));
    return this.#store.database.transaction(async (tx) => {
      const row = await this.#find(tx, code);
      const user = row && (await this.#store.user(tx, row.user_id));
      if (!user) throw wrongReset();
      await this.#store.closeResetLinks(tx, user.id);
      await this.#store.setPassword(tx, user.id, hash);
      await this.#sessions.endAllOf(tx, user.id);
      await this.#grants.endEveryOf(tx, user.id);
      await this.#store.closeEveryLinkBy(tx, user.id);
      const [pair, account] = signInLimits(user.email, from.address);
      for (const limit of [pair, account]) await this.#lockouts.forget(tx, limit);
      const happening = { actor: user.email, action: "password.reset", target: user.id };
      await this.#audit.add(tx, await this.#booksOf(tx, user.id), from, happening);
      return user;
    });
  }

  /** With the current one. Other browsers are signed out; devices and tokens stay signed in. */
  async change(cookie: string, old: string, password: string, from: Origin): Promise<void> {
    const session = await this.#store.database.read((db) => this.#sessions.find(db, cookie));
    if (!session) throw needsSession();
    const wanted = requirePassword(password);
    const { user, stored } = await this.#signIn.verifyPassword(session.user.email, old, from);
    const hash = await this.#passwords.hash(wanted);
    await this.#store.database.transaction(async (tx) => {
      if (!(await this.#sessions.find(tx, cookie))) throw needsSession();
      await this.#store.requirePassword(tx, user.id, stored);
      await this.#store.setPassword(tx, user.id, hash);
      await this.#store.closeResetLinks(tx, user.id);
      await this.#sessions.endAllOf(tx, user.id, cookie);
      const happening = { actor: user.email, action: "password.changed", target: user.id };
      await this.#audit.add(tx, await this.#booksOf(tx, user.id), from, happening);
    });
  }

  /** A new link replaces older ones. */
  async #make(tx: Tx, userId: string, maker: string | null): Promise<ResetLink> {
    const code = newSecret("reset");
    const expires_at = this.#store.now() + lifetimeMs;
    await this.#store.closeResetLinks(tx, userId);
    const row = { hash: hashOf(code), user_id: userId, expires_at, closed_at: null, created_by: maker };
    await tx.insertInto("access_reset").values(row).execute();
    return { code, expiresAt: new Date(expires_at).toISOString() };
  }

  async #find(db: Db | Tx, code: string): Promise<ResetRow | undefined> {
    if (kindOfSecret(code) !== "reset") return undefined;
    return db
      .selectFrom("access_reset")
      .selectAll()
      .where("hash", "=", hashOf(code))
      .where("closed_at", "is", null)
      .where("expires_at", ">", this.#store.now())
      .executeTakeFirst();
  }

  async #booksOf(tx: Tx, userId: string): Promise<string[]> {
    const teams = await this.#store.teamsOf(tx, userId);
    return teams.length > 0 ? teams : [serverBook];
  }
}
