import { randomUUID } from "node:crypto";
import type { Sessions } from "../identity/sessions.ts";
import { conflict, lastAdmin, nothingSuch } from "../model/errors.ts";
import { isId, requireName } from "../model/fields.ts";
import { requireAdmin, requireScope, roleNamed } from "../model/roles.ts";
import type { Audit } from "../service/audit.ts";
import type { Member, Origin, Role, SignedIn, Team, TeamProject } from "../service/ports.ts";
import type { AccessStore, Tx } from "../store/store.ts";
import type { Grants } from "../tokens/grants.ts";

/** The members and projects of a team. */
export class TeamDesk {
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

  async members(by: SignedIn): Promise<Member[]> {
    requireScope(by, "access:read");
    return this.#store.database.read((db) => this.#store.members(db, by.team.id));
  }

  async setRole(by: SignedIn, userId: string, role: Role, from: Origin): Promise<Member> {
    const wanted = roleNamed(role);
    return this.#change(by, userId, async (tx, member) => {
      await this.#grants.requirePerson(tx, by);
      if (member.role === wanted) return member;
      if (wanted !== "admin") await this.#requireAnotherAdmin(tx, by, member);
      await tx
        .updateTable("access_member")
        .set({ role: wanted })
        .where("team_id", "=", by.team.id)
        .where("user_id", "=", userId)
        .execute();
      this.#store.tellTakenAway(tx);
      await this.#audit.did(tx, by, "member.role", userId, from, { before: member.role, after: wanted });
      return { ...member, role: wanted };
    });
  }

  async removeMember(by: SignedIn, userId: string, from: Origin): Promise<void> {
    await this.#change(by, userId, async (tx, member) => {
      await this.#requireAnotherAdmin(tx, by, member);
      await this.#grants.endAllOf(tx, by.team.id, userId);
      await tx.deleteFrom("access_member").where("team_id", "=", by.team.id).where("user_id", "=", userId).execute();
      // Also where no token was of this team: those of other teams spoke for them here.
      this.#store.tellTakenAway(tx);
      if ((await this.#store.teamsOf(tx, userId)).length === 0) await this.#sessions.endAllOf(tx, userId);
      await this.#audit.did(tx, by, "member.removed", userId, from, { email: member.user.email, role: member.role });
    });
  }

  async projects(by: SignedIn): Promise<TeamProject[]> {
    requireScope(by, "access:read");
    const rows = await this.#store.database.read((db) =>
      db.selectFrom("access_project").selectAll().where("team_id", "=", by.team.id).orderBy("name").execute(),
    );
    return rows.map(({ id, name, created_at }) => ({ id, name, createdAt: new Date(created_at).toISOString() }));
  }

  async addProject(by: SignedIn, text: string, from: Origin): Promise<TeamProject> {
    requireAdmin(by, "access:write");
    const name = requireName("project's name", text);
    return this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      await this.#requireNewName(tx, by, name);
      const row = { id: randomUUID(), team_id: by.team.id, name, created_at: this.#store.now() };
      await tx.insertInto("access_project").values(row).execute();
      await this.#audit.did(tx, by, "project.added", row.id, from, { name });
      return { id: row.id, name, createdAt: new Date(row.created_at).toISOString() };
    });
  }

  async renameProject(by: SignedIn, id: string, text: string, from: Origin): Promise<TeamProject> {
    requireAdmin(by, "access:write");
    const name = requireName("project's name", text);
    return this.#store.database.transaction(async (tx) => {
      const row = await this.#requireProject(tx, by, id);
      if (row.name !== name) {
        await this.#requireNewName(tx, by, name);
        await tx.updateTable("access_project").set({ name }).where("id", "=", row.id).execute();
        await this.#audit.did(tx, by, "project.renamed", row.id, from, { before: row.name, after: name });
      }
      return { id: row.id, name, createdAt: new Date(row.created_at).toISOString() };
    });
  }

  async removeProject(by: SignedIn, id: string, from: Origin): Promise<void> {
    requireAdmin(by, "access:write");
    await this.#store.database.transaction(async (tx) => {
      const row = await this.#requireProject(tx, by, id);
      await tx.deleteFrom("access_project").where("id", "=", row.id).execute();
      await this.#audit.did(tx, by, "project.removed", row.id, from, { name: row.name });
    });
  }

  /** A token made by name speaks for its person in one team only, and tells of no other. */
  async teams(by: SignedIn): Promise<(Team & { role: Role })[]> {
    return this.#store.database.read(async (db) => {
      const isPerson = (await this.#grants.byId(db, by.tokenId))?.kind === "sign-in";
      const found: (Team & { role: Role })[] = [];
      for (const id of isPerson ? await this.#store.teamsOf(db, by.user.id) : [by.team.id]) {
        const team = await this.#store.team(db, id);
        const member = await this.#store.member(db, id, by.user.id);
        if (team && member) found.push({ ...team, role: member.role });
      }
      return found;
    });
  }

  /** Another team on the same server, with the caller as its admin. */
  async addTeam(by: SignedIn, text: string, from: Origin): Promise<Team> {
    requireAdmin(by, "access:write");
    const name = requireName("team's name", text);
    return this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      await this.#grants.requirePerson(tx, by);
      const team = await this.#store.addTeam(tx, name);
      await this.#store.addMember(tx, team.id, by.user.id, "admin");
      const happening = { actor: by.user.email, action: "team.added", target: team.id, details: { name } };
      await this.#audit.add(tx, [team.id, by.team.id], from, happening);
      return team;
    });
  }

  async #requireProject(tx: Tx, by: SignedIn, id: string) {
    await this.#store.requireStillAdmin(tx, by);
    const own = tx.selectFrom("access_project").selectAll().where("team_id", "=", by.team.id);
    const row = isId(id) ? await own.where("id", "=", id).executeTakeFirst() : undefined;
    if (!row) throw nothingSuch("project", id);
    return row;
  }

  async #requireNewName(tx: Tx, by: SignedIn, name: string): Promise<void> {
    const same = tx.selectFrom("access_project").select("id").where("team_id", "=", by.team.id);
    if (await same.where("name", "=", name).executeTakeFirst()) {
      throw conflict(`The team has a project "${name}" already.`, "Choose another name, or use that project.");
    }
  }

  async #change<T>(by: SignedIn, userId: string, work: (tx: Tx, member: Member) => Promise<T>): Promise<T> {
    requireAdmin(by, "access:write");
    return this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      const member = isId(userId) ? await this.#store.member(tx, by.team.id, userId) : undefined;
      if (!member) throw nothingSuch("member", userId);
      return work(tx, member);
    });
  }

  async #requireAnotherAdmin(tx: Tx, by: SignedIn, member: Member): Promise<void> {
    if (member.role !== "admin") return;
    const members = await this.#store.members(tx, by.team.id);
    if (members.filter(({ role }) => role === "admin").length < 2) throw lastAdmin();
  }
}
