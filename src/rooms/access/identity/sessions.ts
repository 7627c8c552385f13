import type { Role, SignedIn, Team, User } from "../../../commons/people.ts";
import type { BrowserSession } from "../model/model.ts";
import { scopesOfRole } from "../model/roles.ts";
import { type AccessStore, type Db, type Tx, userFromRow } from "../store/store.ts";
import { csrfOf, hashOf, kindOfSecret, newSecret } from "../tokens/secrets.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;

/** Who is signed in with a browser. The cookie is kept as a hash. */
export class Sessions {
  readonly #store: AccessStore;

  constructor(store: AccessStore) {
    this.#store = store;
  }

  /** The session of a browser's cookie; undefined where it has ended or is unknown. */
  get(cookie: string): Promise<BrowserSession | undefined> {
    return this.#store.database.read((db) => this.find(db, cookie));
  }

  /** Signs the browser out. */
  close(cookie: string): Promise<void> {
    return this.#store.database.transaction((tx) => this.end(tx, cookie));
  }

  /** The teams of the session's user, the one they joined first in front. */
  teams(cookie: string): Promise<(Team & { role: Role })[]> {
    return this.#store.database.read(async (db) => {
      const session = await this.find(db, cookie);
      const ids = session ? await this.#store.teamsOf(db, session.user.id) : [];
      const teams = await Promise.all(
        ids.map(async (id) => {
          const [team, member] = [
            await this.#store.team(db, id),
            await this.#store.member(db, id, session?.user.id ?? ""),
          ];
          return team && member && { ...team, role: member.role };
        }),
      );
      return teams.filter((team) => team !== undefined);
    });
  }

  /** Who the browser's requests come from, in the named team or the one they joined first; undefined as with a token. */
  async authenticate(cookie: string, team: string | undefined): Promise<SignedIn | undefined> {
    const session = await this.get(cookie);
    const teams = session ? await this.teams(cookie) : [];
    const found = team === undefined ? teams[0] : teams.find(({ id }) => id === team);
    if (!session || !found) return undefined;
    const { role, ...own } = found;
    const sessionHash = hashOf(cookie);
    const tokenId = `browser:${sessionHash.slice(0, 16)}`;
    return { user: session.user, team: own, role, scopes: scopesOfRole(role), tokenId, browser: { sessionHash } };
  }

  async open(tx: Tx, user: User): Promise<BrowserSession> {
    const now = this.#store.now();
    await tx.deleteFrom("access_session").where("expires_at", "<=", now).execute();
    const cookie = newSecret("session");
    const row = { hash: hashOf(cookie), user_id: user.id, expires_at: now + lifetimeMs };
    await tx.insertInto("access_session").values(row).execute();
    return { cookie, csrf: csrfOf(cookie), user };
  }

  async find(db: Db | Tx, cookie: string): Promise<BrowserSession | undefined> {
    if (kindOfSecret(cookie) !== "session") return undefined;
    const row = await db
      .selectFrom("access_session")
      .innerJoin("access_user", "access_user.id", "access_session.user_id")
      .select(["access_user.id", "email", "display_name"])
      .where("hash", "=", hashOf(cookie))
      .where("expires_at", ">", this.#store.now())
      .executeTakeFirst();
    return row && { cookie, csrf: csrfOf(cookie), user: userFromRow(row) };
  }

  async end(tx: Tx, cookie: string): Promise<void> {
    await tx.deleteFrom("access_session").where("hash", "=", hashOf(cookie)).execute();
  }

  /** But for the one that is kept, where there is one. */
  async endAllOf(tx: Tx, userId: string, kept = ""): Promise<void> {
    const own = tx.deleteFrom("access_session").where("user_id", "=", userId);
    await own.where("hash", "<>", hashOf(kept)).execute();
  }
}
