import { randomBytes } from "node:crypto";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { GovernanceTables } from "../store/schema.ts";
import { missingDefault, sessionNotFound } from "./errors.ts";

export type Session = { session_id: string; project_id: string; build_id?: string; user_id?: string };

const sessionMs = 24 * 3_600_000;
const maxConnections = 10_000;

type SessionsOptions = { database: Database<unknown>; ledger: Pick<Ledger, "commit">; now?: () => number };

/**
 * Default projects and builds. A session belongs to one connection, or to one user where there are no connections; others
 * reach it by its id, which cannot be guessed and works for its owner only.
 */
export class Sessions {
  readonly #database: Database<GovernanceTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #now: () => number;
  /** Session ids by connection; the one that was not used for longest comes first. */
  readonly #ofConnection = new Map<string, string>();

  constructor({ database, ledger, now = Date.now }: SessionsOptions) {
    this.#database = database.forTables<GovernanceTables>();
    this.#ledger = ledger;
    this.#now = now;
  }

  async set(by: Actor, given: Omit<Session, "session_id">): Promise<Session & { expires_at: string }> {
    const connection = connectionOf(by.principal);
    const known = connection === undefined ? undefined : this.#ofConnection.get(connection);
    const id = known ?? `session_${randomBytes(24).toString("base64url")}`;
    const now = this.#now();
    const row = {
      project_id: given.project_id,
      build_id: given.build_id ?? null,
      user_id: given.user_id ?? null,
      expires_at: now + sessionMs,
    };
    await this.#database.transaction(async (tx) => {
      await tx.deleteFrom("governance_session").where("expires_at", "<=", now).execute();
      await tx
        .insertInto("governance_session")
        .values({ id, owner: by.principal.id, ...row })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
      await this.#ledger.commit(tx, by.record);
    });
    if (connection !== undefined) this.#remember(connection, id);
    return { session_id: id, ...given, expires_at: new Date(row.expires_at).toISOString() };
  }

  /** Whether there was one. */
  async clear(by: Actor, sessionId?: string): Promise<boolean> {
    const connection = connectionOf(by.principal);
    const id = sessionId ?? (connection === undefined ? undefined : this.#ofConnection.get(connection));
    if (connection !== undefined && id === this.#ofConnection.get(connection)) this.#ofConnection.delete(connection);
    if (id === undefined) return false;
    return this.#database.transaction(async (tx) => {
      const gone = await tx
        .deleteFrom("governance_session")
        .where("id", "=", id)
        .where("owner", "=", by.principal.id)
        .returning("id")
        .execute();
      await this.#ledger.commit(tx, by.record);
      return gone.length > 0;
    });
  }

  /** The session of this id, or of the caller's connection; undefined where there is none. */
  async find(principal: Principal, sessionId: string | undefined): Promise<Session | undefined> {
    const connection = connectionOf(principal);
    const id = sessionId ?? (connection === undefined ? undefined : this.#ofConnection.get(connection));
    if (id === undefined) return undefined;
    const row = await this.#database.read((db) =>
      db
        .selectFrom("governance_session")
        .selectAll()
        .where("id", "=", id)
        .where("owner", "=", principal.id)
        .where("expires_at", ">", this.#now())
        .executeTakeFirst(),
    );
    if (row)
      return {
        session_id: id,
        project_id: row.project_id,
        ...(row.build_id !== null && { build_id: row.build_id }),
        ...(row.user_id !== null && { user_id: row.user_id }),
      };
    if (sessionId !== undefined) throw sessionNotFound();
    return undefined;
  }

  /** What was given, or else the session's. */
  async require(
    field: "project_id" | "build_id",
    principal: Principal,
    { given, sessionId }: { given: string | undefined; sessionId: string | undefined },
  ): Promise<string> {
    if (given !== undefined) return given;
    const value = (await this.find(principal, sessionId))?.[field];
    if (value !== undefined) return value;
    throw missingDefault(field, connectionOf(principal) !== undefined);
  }

  #remember(connection: string, id: string): void {
    this.#ofConnection.delete(connection);
    this.#ofConnection.set(connection, id);
    const [oldest] = this.#ofConnection.size > maxConnections ? this.#ofConnection.keys() : [];
    if (oldest !== undefined) this.#ofConnection.delete(oldest);
  }
}

/** Two assistants of one user are two; a laptop's requests without a connection belong to no session. */
function connectionOf({ kind, id, instance }: Principal): string | undefined {
  if (instance !== undefined) return `${id}\n${instance}`;
  return kind === "user" ? id : undefined;
}
