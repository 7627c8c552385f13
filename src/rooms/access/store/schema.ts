import type { CreateTableBuilder, Kysely } from "kysely";
import type { Migration } from "../../../platform/db/types.ts";

/** Times are milliseconds since 1970; what is named `hash` is the SHA-256 of a secret that is kept nowhere. */
export type AccessTables = {
  access_user: { id: string; email: string; display_name: string; password: string | null; created_at: number };
  /** Who an OpenID provider knows a user as. */
  access_identity: { issuer: string; subject: string; user_id: string };
  access_team: { id: string; name: string; slug: string; created_at: number };
  access_member: { team_id: string; user_id: string; role: string; joined_at: number };
  access_project: { id: string; team_id: string; name: string; created_at: number };
  /** A row for each start until there is a user; the newest has the highest place. */
  access_setup: { place: number; hash: string };
  access_invitation: {
    id: string;
    hash: string;
    team_id: string;
    role: string;
    email: string | null;
    expires_at: number;
    /** When it was accepted or withdrawn. */
    closed_at: number | null;
    /** The admin who made it; null for those of earlier versions. */
    created_by: string | null;
  };
  /** Links with which a user sets a new password. Those of the server's host have no maker. */
  access_reset: {
    hash: string;
    user_id: string;
    expires_at: number;
    closed_at: number | null;
    created_by: string | null;
  };
  access_session: { hash: string; user_id: string; expires_at: number };
  access_device: {
    hash: string;
    user_code_hash: string;
    client: string;
    address: string;
    requested_at: number;
    expires_at: number;
    interval_s: number;
    polled_at: number | null;
    state: string;
    /** Who approved it, and for which of their teams. */
    user_id: string | null;
    team_id: string | null;
    /** The slug of the team that the device asks for. */
    wished_team: string | null;
  };
  /** What a user was granted: a sign-in, whose secrets are renewed in pairs, or an API token. */
  access_grant: {
    id: string;
    kind: string;
    user_id: string;
    team_id: string;
    name: string;
    /** With spaces between them. */
    scopes: string;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    ended_at: number | null;
    /** The number of the newest pair. */
    generation: number;
  };
  access_secret: {
    hash: string;
    grant_id: string;
    kind: string;
    generation: number;
    expires_at: number | null;
    /** First use. */
    used_at: number | null;
    /** The newest pair that was given for this refresh token. */
    successor: number | null;
  };
  access_lockout: { subject: string; failures: number; failed_at: number; locked_until: number };
  /** Numbered from 1 in each book: a team's, or the server's own. */
  access_audit: {
    book: string;
    seq: number;
    at: number;
    actor: string;
    action: string;
    target: string;
    details: string;
    hash: string;
  };
  /** The last entry of each book, so that one missing at the end is missed. */
  access_audit_head: { book: string; seq: number; hash: string };
};

const accessMigrations: Migration[] = [
  {
    id: 6,
    name: "access",
    async up(db) {
      await makePeople(db);
      await makeSecrets(db);
      await makeRecords(db);
    },
  },
];

/** Passwords that were forgotten, and a choice among several teams. */
const recoveryMigrations: Migration[] = [
  {
    id: 8,
    name: "access recovery",
    async up(db) {
      await db.schema
        .createTable("access_reset")
        .addColumn("hash", "text", (column) => column.primaryKey())
        .addColumn("user_id", "text", (column) => column.notNull().references("access_user.id"))
        .addColumn("expires_at", "bigint", (column) => column.notNull())
        .addColumn("closed_at", "bigint")
        .execute();
      await db.schema.createIndex("access_reset_user").on("access_reset").column("user_id").execute();
      await db.schema.alterTable("access_device").addColumn("wished_team", "text").execute();
    },
  },
  {
    id: 26,
    name: "makers of links",
    async up(db) {
      for (const table of ["access_invitation", "access_reset"])
        await db.schema.alterTable(table).addColumn("created_by", "text").execute();
    },
  },
];

async function makePeople(db: Kysely<unknown>): Promise<void> {
  await texts(db.schema.createTable("access_user"), ["email", "display_name"])
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("password", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("access_user_email", ["email"])
    .execute();
  await texts(db.schema.createTable("access_identity"), ["issuer", "subject"])
    .addColumn("user_id", "text", (column) => column.notNull().references("access_user.id"))
    .addPrimaryKeyConstraint("access_identity_key", ["issuer", "subject"])
    .execute();
  await texts(db.schema.createTable("access_team"), ["name", "slug"])
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("access_team_slug", ["slug"])
    .execute();
  await texts(db.schema.createTable("access_member"), ["role"])
    .addColumn("team_id", "text", (column) => column.notNull().references("access_team.id"))
    .addColumn("user_id", "text", (column) => column.notNull().references("access_user.id"))
    .addColumn("joined_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("access_member_key", ["team_id", "user_id"])
    .execute();
  await db.schema.createIndex("access_member_user").on("access_member").column("user_id").execute();
  await texts(db.schema.createTable("access_project"), ["name"])
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("team_id", "text", (column) => column.notNull().references("access_team.id"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("access_project_name", ["team_id", "name"])
    .execute();
}

async function makeSecrets(db: Kysely<unknown>): Promise<void> {
  await texts(db.schema.createTable("access_setup"), ["hash"])
    .addColumn("place", "integer", (column) => column.primaryKey())
    .execute();
  await texts(db.schema.createTable("access_invitation"), ["role"])
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("team_id", "text", (column) => column.notNull().references("access_team.id"))
    .addColumn("email", "text")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("closed_at", "bigint")
    .execute();
  await db.schema.createIndex("access_invitation_team").on("access_invitation").column("team_id").execute();
  await db.schema.createIndex("access_invitation_email").on("access_invitation").column("email").execute();
  await db.schema
    .createTable("access_session")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("access_user.id"))
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("access_session_user").on("access_session").column("user_id").execute();
  await texts(db.schema.createTable("access_device"), ["client", "address", "state"])
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("user_code_hash", "text", (column) => column.notNull().unique())
    .addColumn("requested_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("interval_s", "integer", (column) => column.notNull())
    .addColumn("polled_at", "bigint")
    .addColumn("user_id", "text", (column) => column.references("access_user.id"))
    .addColumn("team_id", "text", (column) => column.references("access_team.id"))
    .execute();
  await db.schema.createIndex("access_device_expiry").on("access_device").column("expires_at").execute();
  await texts(db.schema.createTable("access_grant"), ["kind", "name", "scopes"])
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("access_user.id"))
    .addColumn("team_id", "text", (column) => column.notNull().references("access_team.id"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .addColumn("ended_at", "bigint")
    .addColumn("generation", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("access_grant_team").on("access_grant").columns(["team_id", "user_id"]).execute();
  await texts(db.schema.createTable("access_secret"), ["kind"])
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("grant_id", "text", (column) => column.notNull().references("access_grant.id"))
    .addColumn("generation", "integer", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("used_at", "bigint")
    .addColumn("successor", "integer")
    .execute();
  await db.schema.createIndex("access_secret_grant").on("access_secret").columns(["grant_id", "generation"]).execute();
}

async function makeRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("access_lockout")
    .addColumn("subject", "text", (column) => column.primaryKey())
    .addColumn("failures", "integer", (column) => column.notNull())
    .addColumn("failed_at", "bigint", (column) => column.notNull())
    .addColumn("locked_until", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("access_lockout_age").on("access_lockout").column("failed_at").execute();
  await texts(db.schema.createTable("access_audit"), ["book", "actor", "action", "target", "details", "hash"])
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("access_audit_key", ["book", "seq"])
    .execute();
  await texts(db.schema.createTable("access_audit_head"), ["hash"])
    .addColumn("book", "text", (column) => column.primaryKey())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .execute();
}

/** Columns of text that is always there. */
function texts<Name extends string>(table: CreateTableBuilder<Name>, names: readonly string[]) {
  let made: CreateTableBuilder<Name, string> = table;
  for (const name of names) made = made.addColumn(name, "text", (column) => column.notNull());
  return made;
}

/** In their places among the steps of all rooms. */
export const migrations: Migration[] = [...accessMigrations, ...recoveryMigrations];
