import { randomBytes, randomUUID } from "node:crypto";
import type { Selectable, Transaction } from "kysely";
import type { Role, SignedIn, Team, User } from "../../../commons/people.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Reads } from "../../../platform/db/types.ts";
import { needsAdmin, wrongSignIn } from "../model/errors.ts";
import type { Member } from "../model/model.ts";
import { roleNamed } from "../model/roles.ts";
import { slugOf } from "../teams/slug.ts";
import { sameHash } from "../tokens/secrets.ts";
import { Revocations } from "./revocations.ts";
import type { AccessTables } from "./schema.ts";

export type Tx = Transaction<AccessTables>;
export type Db = Reads<AccessTables>;

type UserRow = Selectable<AccessTables["access_user"]>;

/** Of teams with one name. To find a free number among thousands would keep everyone else waiting. */
const maxNumber = 20;

/** Users, teams and memberships, in SQL for both engines. It checks no rights. */
export class AccessStore {
  readonly database: Database<AccessTables>;
  readonly now: () => number;
  readonly revocations = new Revocations();

  constructor(database: Database<unknown>, now: () => number) {
    this.database = database.forTables<AccessTables>();
    this.now = now;
  }

  async hasUsers(db: Db | Tx): Promise<boolean> {
    return (await db.selectFrom("access_user").select("id").limit(1).executeTakeFirst()) !== undefined;
  }

  userByEmail(db: Db | Tx, email: string): Promise<UserRow | undefined> {
    return db.selectFrom("access_user").selectAll().where("email", "=", email).executeTakeFirst();
  }

  async user(db: Db | Tx, id: string): Promise<User | undefined> {
    const row = await db.selectFrom("access_user").selectAll().where("id", "=", id).executeTakeFirst();
    return row && userFromRow(row);
  }

  async addUser(tx: Tx, email: string, displayName: string, password: string | null): Promise<User> {
    const row = { id: randomUUID(), email, display_name: displayName, password, created_at: this.now() };
    await tx.insertInto("access_user").values(row).execute();
    return userFromRow(row);
  }

  /** Null: they have none. */
  async setPassword(tx: Tx, userId: string, password: string | null): Promise<void> {
    await tx.updateTable("access_user").set({ password }).where("id", "=", userId).execute();
  }

  /** Whether they have signed in with an OpenID provider. */
  async isLinked(tx: Tx, userId: string): Promise<boolean> {
    const identities = tx.selectFrom("access_identity").select("subject").where("user_id", "=", userId);
    return (await identities.limit(1).executeTakeFirst()) !== undefined;
  }

  /** Comparing takes long: throws if the password has become another meanwhile. */
  async requirePassword(tx: Tx, userId: string, stored: string | null): Promise<void> {
    const row = await tx.selectFrom("access_user").select("password").where("id", "=", userId).executeTakeFirst();
    if (!sameHash(row?.password ?? "", stored ?? "")) throw wrongSignIn();
  }

  async setDisplayName(tx: Tx, userId: string, name: string): Promise<void> {
    await tx.updateTable("access_user").set({ display_name: name }).where("id", "=", userId).execute();
  }

  async addTeam(tx: Tx, name: string): Promise<Team> {
    const wished = slugOf(name);
    let slug = wished;
    for (let number = 2; await this.#hasSlug(tx, slug); number++)
      slug = `${wished}-${number <= maxNumber ? number : randomBytes(4).toString("hex")}`;
    const team = { id: randomUUID(), name, slug };
    await tx
      .insertInto("access_team")
      .values({ ...team, created_at: this.now() })
      .execute();
    return team;
  }

  async team(db: Db | Tx, id: string): Promise<Team | undefined> {
    return db.selectFrom("access_team").select(["id", "name", "slug"]).where("id", "=", id).executeTakeFirst();
  }

  /** The one that the server was set up with. */
  async firstTeam(db: Db | Tx): Promise<string | undefined> {
    const oldest = db.selectFrom("access_team").select("id").orderBy("created_at").orderBy("id").limit(1);
    return (await oldest.executeTakeFirst())?.id;
  }

  async addMember(tx: Tx, teamId: string, userId: string, role: Role): Promise<void> {
    const row = { team_id: teamId, user_id: userId, role, joined_at: this.now() };
    await tx.insertInto("access_member").values(row).execute();
    // An admin of the teams that the user was in before made the open links. They may be no admin of this one.
    await this.closeResetLinks(tx, userId);
  }

  /** What a former admin made lets nobody in any more: open invitations to the team, and links for new passwords. */
  async closeLinksBy(tx: Tx, teamId: string, userId: string): Promise<void> {
    const closed_at = this.now();
    await tx
      .updateTable("access_invitation")
      .set({ closed_at })
      .where("team_id", "=", teamId)
      .where("closed_at", "is", null)
      .where((row) => row.or([row("created_by", "=", userId), row("created_by", "is", null)]))
      .execute();
    const links = tx.updateTable("access_reset").set({ closed_at }).where("created_by", "=", userId);
    await links.where("closed_at", "is", null).execute();
  }

  /** What lets others in that an account made, which somebody else may have used. */
  async closeEveryLinkBy(tx: Tx, userId: string): Promise<void> {
    for (const team of await this.teamsOf(tx, userId))
      if ((await this.member(tx, team, userId))?.role === "admin") await this.closeLinksBy(tx, team, userId);
  }

  async closeResetLinks(tx: Tx, userId: string): Promise<void> {
    const open = tx.updateTable("access_reset").set({ closed_at: this.now() }).where("user_id", "=", userId);
    await open.where("closed_at", "is", null).execute();
  }

  async members(db: Db | Tx, teamId: string): Promise<Member[]> {
    const rows = await this.#membersOf(db, teamId).orderBy("joined_at").orderBy("email").execute();
    return rows.map(memberFrom);
  }

  async member(db: Db | Tx, teamId: string, userId: string): Promise<Member | undefined> {
    const row = await this.#membersOf(db, teamId).where("user_id", "=", userId).executeTakeFirst();
    return row && memberFrom(row);
  }

  /** Their teams, the one they joined first in front. */
  async teamsOf(db: Db | Tx, userId: string): Promise<string[]> {
    const rows = await db
      .selectFrom("access_member")
      .select("team_id")
      .where("user_id", "=", userId)
      .orderBy("joined_at")
      .orderBy("team_id")
      .execute();
    return rows.map((row) => row.team_id);
  }

  /** The right may have been revoked since the request was accepted. */
  async requireStillAdmin(tx: Tx, by: SignedIn): Promise<void> {
    const member = await this.member(tx, by.team.id, by.user.id);
    if (member?.role !== "admin") throw needsAdmin();
  }

  async #hasSlug(tx: Tx, slug: string): Promise<boolean> {
    const row = await tx.selectFrom("access_team").select("id").where("slug", "=", slug).executeTakeFirst();
    return row !== undefined;
  }

  #membersOf(db: Db | Tx, teamId: string) {
    return db
      .selectFrom("access_member")
      .innerJoin("access_user", "access_user.id", "access_member.user_id")
      .select(["access_user.id", "email", "display_name", "role", "joined_at"])
      .where("team_id", "=", teamId);
  }
}

export function userFromRow({ id, email, display_name }: Pick<UserRow, "id" | "email" | "display_name">): User {
  return { id, email, displayName: display_name };
}

function memberFrom(row: { id: string; email: string; display_name: string; role: string; joined_at: number }): Member {
  return { user: userFromRow(row), role: roleNamed(row.role), joinedAt: new Date(row.joined_at).toISOString() };
}
