import { randomUUID } from "node:crypto";
import type { Origin, SignedIn } from "../../../commons/people.ts";
import { notFound, projectExists } from "../model/errors.ts";
import { isId, requireName } from "../model/fields.ts";
import type { TeamProject } from "../model/model.ts";
import { requireAdmin, requireScope } from "../model/roles.ts";
import type { Audit } from "../service/audit.ts";
import type { AccessStore, Tx } from "../store/store.ts";

/** The projects of the caller's team. */
export class Projects {
  readonly #store: AccessStore;
  readonly #audit: Audit;

  constructor(store: AccessStore, audit: Audit) {
    this.#store = store;
    this.#audit = audit;
  }

  async list(by: SignedIn): Promise<TeamProject[]> {
    requireScope(by, "access:read");
    const rows = await this.#store.database.read((db) =>
      db.selectFrom("access_project").selectAll().where("team_id", "=", by.team.id).orderBy("name").execute(),
    );
    return rows.map(({ id, name, created_at }) => ({ id, name, createdAt: new Date(created_at).toISOString() }));
  }

  async add(by: SignedIn, text: string, from: Origin): Promise<TeamProject> {
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

  async rename(by: SignedIn, id: string, text: string, from: Origin): Promise<TeamProject> {
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

  async remove(by: SignedIn, id: string, from: Origin): Promise<void> {
    requireAdmin(by, "access:write");
    await this.#store.database.transaction(async (tx) => {
      const row = await this.#requireProject(tx, by, id);
      await tx.deleteFrom("access_project").where("id", "=", row.id).execute();
      await this.#audit.did(tx, by, "project.removed", row.id, from, { name: row.name });
    });
  }

  async #requireProject(tx: Tx, by: SignedIn, id: string) {
    await this.#store.requireStillAdmin(tx, by);
    const own = tx.selectFrom("access_project").selectAll().where("team_id", "=", by.team.id);
    const row = isId(id) ? await own.where("id", "=", id).executeTakeFirst() : undefined;
    if (!row) throw notFound("project", id);
    return row;
  }

  async #requireNewName(tx: Tx, by: SignedIn, name: string): Promise<void> {
    const same = tx.selectFrom("access_project").select("id").where("team_id", "=", by.team.id);
    if (await same.where("name", "=", name).executeTakeFirst()) throw projectExists(name);
  }
}
