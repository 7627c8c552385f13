import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Origin, Role, SignedIn, Team } from "../../../commons/people.ts";
import { notFound } from "../model/errors.ts";
import { isId, requireEmail } from "../model/fields.ts";
import { requireAdmin, roleNamed } from "../model/roles.ts";
import type { Audit } from "../service/audit.ts";
import type { AccessTables } from "../store/schema.ts";
import type { AccessStore, Db, Tx } from "../store/store.ts";
import type { Grants } from "../tokens/grants.ts";
import { hashOf, kindOfSecret, newSecret } from "../tokens/secrets.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;

export type InvitationRow = Selectable<AccessTables["access_invitation"]>;

type ShownInvitation = { id: string; role: Role; email?: string; expiresAt: string };

/** Links that let one person each into a team. */
export class Invitations {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #audit: Audit;

  constructor(store: AccessStore, grants: Grants, audit: Audit) {
    this.#store = store;
    this.#grants = grants;
    this.#audit = audit;
  }

  async create(by: SignedIn, { role, email }: { role: Role; email?: string }, from: Origin) {
    requireAdmin(by, "access:write");
    const code = newSecret("invitation");
    const row = {
      id: randomUUID(),
      hash: hashOf(code),
      team_id: by.team.id,
      role: roleNamed(role),
      email: email === undefined ? null : requireEmail(email),
      expires_at: this.#store.now() + lifetimeMs,
      closed_at: null,
      created_by: by.user.id,
    };
    await this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      await this.#grants.requirePerson(tx, by);
      await tx.insertInto("access_invitation").values(row).execute();
      await this.#audit.did(tx, by, "invitation.created", row.id, from, { role, email: row.email });
    });
    return { code, id: row.id, expiresAt: new Date(row.expires_at).toISOString() };
  }

  async list(by: SignedIn): Promise<ShownInvitation[]> {
    requireAdmin(by, "access:read");
    const rows = await this.#store.database.read((db) =>
      this.#open(db).where("team_id", "=", by.team.id).orderBy("expires_at").orderBy("id").execute(),
    );
    return rows.map(({ id, role, email, expires_at }) => ({
      id,
      role: roleNamed(role),
      ...(email !== null && { email }),
      expiresAt: new Date(expires_at).toISOString(),
    }));
  }

  async withdraw(by: SignedIn, id: string, from: Origin): Promise<void> {
    requireAdmin(by, "access:write");
    await this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      const row = isId(id)
        ? await this.#open(tx).where("id", "=", id).where("team_id", "=", by.team.id).executeTakeFirst()
        : undefined;
      if (!row) throw notFound("invitation", id);
      await this.#close(tx, row);
      await this.#audit.did(tx, by, "invitation.withdrawn", row.id, from);
    });
  }

  /** Undefined if it was used or withdrawn, has expired or is unknown. */
  async find(db: Db | Tx, code: string): Promise<InvitationRow | undefined> {
    if (kindOfSecret(code) !== "invitation") return undefined;
    return this.#open(db).where("hash", "=", hashOf(code)).executeTakeFirst();
  }

  async get(code: string): Promise<{ team: Team; role: Role; email?: string } | undefined> {
    return this.#store.database.read(async (db) => {
      const row = await this.find(db, code);
      const team = row && (await this.#store.team(db, row.team_id));
      return team && { team, role: roleNamed(row.role), ...(row.email !== null && { email: row.email }) };
    });
  }

  /** Those to this very address, for people whose provider vouches for it. */
  to(tx: Tx, email: string): Promise<InvitationRow[]> {
    return this.#open(tx).where("email", "=", email).orderBy("expires_at").execute();
  }

  /** Makes the user a member. */
  async use(tx: Tx, row: InvitationRow, user: { id: string; email: string }, from: Origin): Promise<void> {
    await this.#close(tx, row);
    await this.#store.addMember(tx, row.team_id, user.id, roleNamed(row.role));
    await this.#audit.add(tx, [row.team_id], from, {
      actor: user.email,
      action: "invitation.accepted",
      target: row.id,
      details: { role: row.role, user: user.id },
    });
  }

  async #close(tx: Tx, { id }: InvitationRow): Promise<void> {
    await tx.updateTable("access_invitation").set({ closed_at: this.#store.now() }).where("id", "=", id).execute();
  }

  #open(db: Db | Tx) {
    return db
      .selectFrom("access_invitation")
      .selectAll()
      .where("closed_at", "is", null)
      .where("expires_at", ">", this.#store.now());
  }
}
