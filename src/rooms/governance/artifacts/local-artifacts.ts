import { sql, type Transaction } from "kysely";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import { invalidCursor } from "../../../kernel/page.ts";
import type { Database } from "../../../platform/db/database.ts";
import {
  type Artifact,
  type ArtifactFilter,
  type ArtifactPage,
  type ArtifactRef,
  type ArtifactStore,
  type ArtifactType,
  type NewArtifact,
  storeKey,
} from "../model/artifact.ts";
import { limits } from "../model/limits.ts";
import { steadyClock } from "../model/steady-clock.ts";
import type { ArtifactTable, GovernanceTables } from "../store/schema.ts";
import { projectFull } from "./errors.ts";

type Tx = Transaction<GovernanceTables>;

const artifactColumns = [
  "team",
  "project_id",
  "artifact_type",
  "key",
  "content",
  "size",
  "ttl_ms",
  "created_at",
  "expires_at",
] as const;

const hourMs = 3_600_000;
const trashMs = 24 * hourMs;
const sweepEveryMs = 60_000;
/** A creation time further ahead than this means that the machine's clock was set back. */
const maxSkewMs = 60_000;

export type LocalArtifactsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  team?: string;
  now?: () => number;
};

/** Artifacts in the project's own store, or a team's on its server. What has expired is deleted, and never returned. */
export class LocalArtifacts implements ArtifactStore {
  readonly #database: Database<GovernanceTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #team: string;
  readonly #now: () => number;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor({ database, ledger, team = "", now = steadyClock() }: LocalArtifactsOptions) {
    this.#database = database.forTables<GovernanceTables>();
    this.#ledger = ledger;
    this.#team = team;
    this.#now = now;
  }

  async store(by: Actor, { content, ttl_hours, ...ref }: NewArtifact): Promise<{ size_chars: number }> {
    const text = JSON.stringify(content);
    const size = text.length;
    const now = this.#now();
    const ttl = Math.ceil(ttl_hours * hourMs);
    await this.#database.transaction(async (tx) => {
      if (now - this.#sweptAt > sweepEveryMs) await this.#sweep(tx, now);
      const before = await this.#rows(tx, ref).select("size").where("key", "=", ref.key).executeTakeFirst();
      await this.#addUsage(tx, ref.project_id, before ? 0 : 1, size - (before?.size ?? 0));
      const row = { content: text, size, ttl_ms: ttl, created_at: now, expires_at: now + ttl };
      await tx
        .insertInto("governance_artifact")
        .values({ team: this.#team, ...ref, ...row })
        .onConflict((conflict) => conflict.columns(["team", "project_id", "artifact_type", "key"]).doUpdateSet(row))
        .execute();
      await this.#ledger.commit(tx, by.record);
    });
    this.#sweptAt = Math.max(this.#sweptAt, now);
    return { size_chars: text.length };
  }

  async get(ref: ArtifactRef): Promise<Artifact | undefined> {
    await this.#sweepFirst();
    const row = await this.#database.read((db) =>
      db
        .selectFrom("governance_artifact")
        .selectAll()
        .where("team", "=", this.#team)
        .where("project_id", "=", ref.project_id)
        .where("artifact_type", "=", ref.artifact_type)
        .where("key", "=", ref.key)
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    if (row.expires_at > this.#now()) return { ...ref, content: JSON.parse(row.content), ...this.#ageOf(row) };
    await this.#database.transaction((tx) => this.#sweep(tx, this.#now()));
    return undefined;
  }

  async list(
    filter: ArtifactFilter,
    { cursor, limit }: { cursor?: string | undefined; limit: number },
  ): Promise<ArtifactPage> {
    await this.#sweepFirst();
    const after = parseListCursor(cursor);
    const rows = await this.#database.read((db) => {
      let query = db
        .selectFrom("governance_artifact")
        .select(["artifact_type", "key", "created_at", "expires_at", "size", "ttl_ms"])
        .where("team", "=", this.#team)
        .where("project_id", "=", filter.project_id)
        .where("expires_at", ">", this.#now())
        .orderBy("artifact_type")
        .orderBy("key")
        .limit(limit + 1);
      if (filter.artifact_type !== undefined) query = query.where("artifact_type", "=", filter.artifact_type);
      if (after)
        query = query.where((where) =>
          where.or([
            where("artifact_type", ">", after.artifact_type),
            where.and([where("artifact_type", "=", after.artifact_type), where("key", ">", after.key)]),
          ]),
        );
      return query.execute();
    });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      artifacts: shown.map((row) => {
        const artifact_type = row.artifact_type as ArtifactType;
        const ref = { project_id: filter.project_id, artifact_type, key: row.key };
        return { store_key: storeKey(ref), artifact_type, key: row.key, ...this.#ageOf(row) };
      }),
      ...(last && { next_cursor: formatListCursor(last) }),
    };
  }

  async remove(_by: Actor, ref: ArtifactRef): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.#delete(tx, ref.project_id, ref);
    });
  }

  clear(by: Actor, filter: ArtifactFilter): Promise<number> {
    return this.#database.transaction(
      async (tx) => {
        const now = this.#now();
        await this.#sweep(tx, now);
        const rows = this.#rows(tx, filter).select([...artifactColumns, sql<number>`${now}`.as("cleared_at")]);
        await tx
          .insertInto("governance_artifact_trash")
          .columns([...artifactColumns, "cleared_at"])
          .expression(rows)
          .execute();
        const cleared = await this.#delete(tx, filter.project_id, filter);
        await this.#ledger.commit(tx, by.record);
        return cleared;
      },
      { isLong: true },
    );
  }

  restore(by: Actor, filter: ArtifactFilter): Promise<number> {
    return this.#database.transaction(
      async (tx) => {
        const now = this.#now();
        await this.#sweep(tx, now);
        let query = tx
          .selectFrom("governance_artifact_trash")
          .selectAll()
          .where("team", "=", this.#team)
          .where("project_id", "=", filter.project_id)
          .orderBy("cleared_at", "desc");
        if (filter.artifact_type !== undefined) query = query.where("artifact_type", "=", filter.artifact_type);
        let restored = 0;
        for (const { cleared_at: _, ...row } of await query.execute()) {
          const { numInsertedOrUpdatedRows: added } = await tx
            .insertInto("governance_artifact")
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst();
          if (!added) continue;
          restored++;
          await this.#addUsage(tx, row.project_id, 1, row.size);
        }
        let done = tx
          .deleteFrom("governance_artifact_trash")
          .where("team", "=", this.#team)
          .where("project_id", "=", filter.project_id);
        if (filter.artifact_type !== undefined) done = done.where("artifact_type", "=", filter.artifact_type);
        await done.execute();
        await this.#ledger.commit(tx, by.record);
        return restored;
      },
      { isLong: true },
    );
  }

  #rows(tx: Tx, { project_id, artifact_type }: ArtifactFilter) {
    const query = tx
      .selectFrom("governance_artifact")
      .where("team", "=", this.#team)
      .where("project_id", "=", project_id);
    return artifact_type === undefined ? query : query.where("artifact_type", "=", artifact_type);
  }

  async #delete(
    tx: Tx,
    project: string,
    filter: { artifact_type?: string | undefined; key?: string },
  ): Promise<number> {
    let query = tx
      .deleteFrom("governance_artifact")
      .where("team", "=", this.#team)
      .where("project_id", "=", project)
      .returning("size");
    if (filter.artifact_type !== undefined) query = query.where("artifact_type", "=", filter.artifact_type);
    if (filter.key !== undefined) query = query.where("key", "=", filter.key);
    const gone = await query.execute();
    if (gone.length > 0) await this.#addUsage(tx, project, -gone.length, -sum(gone));
    return gone.length;
  }

  async #addUsage(tx: Tx, project: string, artifacts: number, bytes: number): Promise<void> {
    const known = await tx
      .selectFrom("governance_artifact_usage")
      .select(["artifacts", "bytes"])
      .where("team", "=", this.#team)
      .where("project_id", "=", project)
      .executeTakeFirst();
    const usage = { artifacts: (known?.artifacts ?? 0) + artifacts, bytes: (known?.bytes ?? 0) + bytes };
    if (artifacts > 0 && usage.artifacts > limits.artifacts) throw projectFull(project, limits.artifacts, "artifacts");
    if (bytes > 0 && usage.bytes > limits.artifactBytes) throw projectFull(project, limits.artifactBytes, "characters");
    await tx
      .insertInto("governance_artifact_usage")
      .values({ team: this.#team, project_id: project, ...usage })
      .onConflict((conflict) => conflict.columns(["team", "project_id"]).doUpdateSet(usage))
      .execute();
  }

  /** Once in a process before anything is read: what expired while nothing ran is gone for everyone. */
  async #sweepFirst(): Promise<void> {
    if (this.#now() - this.#sweptAt < sweepEveryMs) return;
    const now = this.#now();
    const due = await this.#database.read((db) =>
      db
        .selectFrom("governance_artifact")
        .select("key")
        .where("team", "=", this.#team)
        .where((where) => where.or([where("expires_at", "<=", now), where("created_at", ">", now + maxSkewMs)]))
        .limit(1)
        .executeTakeFirst(),
    );
    if (due) await this.#database.transaction((tx) => this.#sweep(tx, now));
    this.#sweptAt = now;
  }

  async #sweep(tx: Tx, now: number): Promise<void> {
    // The clock was set back: from here on they live as long as they were to live at first, and no longer.
    await tx
      .updateTable("governance_artifact")
      .set((set) => ({ created_at: now, expires_at: set(set.ref("ttl_ms"), "+", now) }))
      .where("team", "=", this.#team)
      .where("created_at", ">", now + maxSkewMs)
      .execute();
    const gone = await tx
      .deleteFrom("governance_artifact")
      .where("team", "=", this.#team)
      .where("expires_at", "<=", now)
      .returning(["project_id", "size"])
      .execute();
    for (const project of new Set(gone.map(({ project_id }) => project_id))) {
      const rows = gone.filter(({ project_id }) => project_id === project);
      await this.#addUsage(tx, project, -rows.length, -sum(rows));
    }
    await tx
      .deleteFrom("governance_artifact_trash")
      .where("team", "=", this.#team)
      .where((where) => where.or([where("cleared_at", "<=", now - trashMs), where("expires_at", "<=", now)]))
      .execute();
  }

  #ageOf({ created_at, expires_at, size }: Pick<ArtifactTable, "created_at" | "expires_at" | "size">) {
    const now = this.#now();
    return {
      source: "disk" as const,
      age_seconds: Math.max(0, Math.round((now - created_at) / 1_000)),
      ttl_remaining_seconds: Math.max(0, Math.round((expires_at - now) / 1_000)),
      size_chars: size,
    };
  }
}

function sum(rows: readonly { size: number }[]): number {
  return rows.reduce((total, { size }) => total + size, 0);
}

type Place = { artifact_type: string; key: string };

function formatListCursor({ artifact_type, key }: Place): string {
  return Buffer.from(JSON.stringify([artifact_type, key])).toString("base64url");
}

export function parseListCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [artifact_type, key]: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (typeof artifact_type === "string" && typeof key === "string") return { artifact_type, key };
  } catch {
    // Said below.
  }
  throw invalidCursor();
}
