import type { Origin, Role, SignedIn } from "../../../commons/people.ts";
import type { Sessions } from "../identity/sessions.ts";
import { lastAdmin, notFound } from "../model/errors.ts";
import { isId } from "../model/fields.ts";
import type { Member } from "../model/model.ts";
import { requireAdmin, requireScope, roleNamed } from "../model/roles.ts";
import type { Audit } from "../service/audit.ts";
import type { AccessStore, Tx } from "../store/store.ts";
import type { Grants } from "../tokens/grants.ts";

/** The members of the caller's team. */
export class Members {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #sessions: Sessions;
  readonly #audit: Audit;

  constructor(store: AccessStore, grants: Grants, sessions: Sessions, audit: Audit) {
    this.#store = store;
    this.#grants = grants;
    this.#sessions = sessions;
    this.#audit = audit;
  }

  async list(by: SignedIn): Promise<Member[]> {
    requireScope(by, "access:read");
    return this.#store.database.read((db) => this.#store.members(db, by.team.id));
  }

  async setRole(by: SignedIn, userId: string, role: Role, from: Origin): Promise<Member> {
    const wanted = roleNamed(role);
    return this.#change(by, userId, async (tx, member) => {
      if (member.role === wanted) return member;
      if (wanted !== "admin") await this.#requireAnotherAdmin(tx, by, member);
      await tx
        .updateTable("access_member")
        .set({ role: wanted })
        .where("team_id", "=", by.team.id)
        .where("user_id", "=", userId)
        .execute();
      if (member.role === "admin") await this.#store.closeLinksBy(tx, by.team.id, userId);
      this.#store.revocations.announce(tx);
      await this.#audit.did(tx, by, "member.role", userId, from, { before: member.role, after: wanted });
      return { ...member, role: wanted };
    });
  }

  async remove(by: SignedIn, userId: string, from: Origin): Promise<void> {
    await this.#change(by, userId, async (tx, member) => {
      await this.#requireAnotherAdmin(tx, by, member);
      await this.#grants.endAllOf(tx, by.team.id, userId);
      if (member.role === "admin") await this.#store.closeLinksBy(tx, by.team.id, userId);
      await tx.deleteFrom("access_member").where("team_id", "=", by.team.id).where("user_id", "=", userId).execute();
      // Also where no token was of this team: those of other teams spoke for them here.
      this.#store.revocations.announce(tx);
      if ((await this.#store.teamsOf(tx, userId)).length === 0) await this.#sessions.endAllOf(tx, userId);
      const { email, displayName: name } = member.user;
      await this.#audit.did(tx, by, "member.removed", userId, from, { email, name, role: member.role });
    });
  }

  async #change<T>(by: SignedIn, userId: string, work: (tx: Tx, member: Member) => Promise<T>): Promise<T> {
    requireAdmin(by, "access:write");
    return this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      await this.#grants.requirePerson(tx, by);
      const member = isId(userId) ? await this.#store.member(tx, by.team.id, userId) : undefined;
      if (!member) throw notFound("member", userId);
      return work(tx, member);
    });
  }

  async #requireAnotherAdmin(tx: Tx, by: SignedIn, member: Member): Promise<void> {
    if (member.role !== "admin") return;
    const members = await this.#store.members(tx, by.team.id);
    if (members.filter(({ role }) => role === "admin").length < 2) throw lastAdmin();
  }
}
