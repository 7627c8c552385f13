import { sql, type Transaction } from "kysely";
import type { Author } from "../../../commons/guard/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
import {
  type Artifact,
  type ArtifactFilter,
  type ArtifactPage,
  type ArtifactRef,
  type ArtifactStore,
  type ArtifactType,
  type NewArtifact,
  type ReplacedArtifact,
  storeKey,
} from "../model/artifact.ts";
import { artifactQuota } from "../model/limits.ts";
import { steadyClock } from "../model/steady-clock.ts";
import type { ArtifactTable, GovernanceTables } from "../store/schema.ts";
import { ageColumns, isAmong, maxBatch, storedColumns, takeBatch } from "./artifact-batch.ts";
import { ArtifactExpiry } from "./artifact-expiry.ts";
import { isInTrash, restoreBatch } from "./artifact-trash.ts";
import { type ArtifactQuota, ArtifactUsage } from "./artifact-usage.ts";
import { artifactChanged } from "./errors.ts";
import { formatListCursor, parseListCursor } from "./list-cursor.ts";

type Tx = Transaction<GovernanceTables>;

const hourMs = 3_600_000;

export type LocalArtifactsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  team?: string;
  now?: () => number;
  /** When each team's expired artifacts were last deleted. */
  sweptAt?: Map<string, number>;
  quota?: ArtifactQuota;
};

/** Artifacts in the project's own store, or a team's on its server. What has expired is deleted, and never returned. */
export class LocalArtifacts implements ArtifactStore {
  readonly #database: Database<GovernanceTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #team: string;
  readonly #now: () => number;
  readonly #usage: ArtifactUsage;
  readonly #expiry: ArtifactExpiry;

  constructor({
    database,
    ledger,
    team = "",
    now = steadyClock(),
    sweptAt = new Map(),
    quota = artifactQuota,
  }: LocalArtifactsOptions) {
    this.#database = database.forTables<GovernanceTables>();
    this.#ledger = ledger;
    this.#team = team;
    this.#now = now;
    this.#usage = new ArtifactUsage(team, quota);
    this.#expiry = new ArtifactExpiry({ database: this.#database, usage: this.#usage, team, now, sweptAt });
  }

  async store(
    by: Author,
    { content, ttl_hours, ...ref }: NewArtifact,
    replaced?: ReplacedArtifact,
  ): Promise<{ size_chars: number }> {
    await this.#expiry.sweepDue();
    const text = JSON.stringify(content);
    const size = text.length;
    const now = this.#now();
    const ttl = Math.ceil(ttl_hours * hourMs);
    await this.#database.transaction(async (tx) => {
      const before = await tx
        .selectFrom("governance_artifact")
        .select(["size", "content", "expires_at"])
        .where((where) => where.and(this.#scope(ref)))
        .executeTakeFirst();
      const known = replaced?.before && JSON.stringify(replaced.before.content);
      if (replaced && before && before.expires_at > now && before.content !== known) throw artifactChanged(ref);
      await this.#usage.add(tx, ref.project_id, before ? 0 : 1, size - (before?.size ?? 0));
      const row = { content: text, size, ttl_ms: ttl, created_at: now, expires_at: now + ttl };
      await tx
        .insertInto("governance_artifact")
        .values({ team: this.#team, ...ref, ...row })
        .onConflict((conflict) => conflict.columns(["team", "project_id", "artifact_type", "key"]).doUpdateSet(row))
        .execute();
      await this.#noteStored(tx, by, ref);
      await this.#ledger.commit(tx, by.record);
    });
    return { size_chars: size };
  }

  async get(ref: ArtifactRef): Promise<Artifact | undefined> {
    await this.#expiry.sweepDue();
    const row = await this.#database.read((db) =>
      db
        .selectFrom("governance_artifact")
        .select(["content", ...ageColumns])
        .where((where) => where.and(this.#scope(ref)))
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    if (row.expires_at > this.#now()) return { ...ref, content: JSON.parse(row.content), ...this.#ageOf(row) };
    // Deleted at once: a clock that is set back must not bring it back.
    await this.#expiry.sweep();
    return undefined;
  }

  async list(
    filter: ArtifactFilter,
    { cursor, limit }: { cursor?: string | undefined; limit: number },
  ): Promise<ArtifactPage> {
    const after = parseListCursor(cursor);
    await this.#expiry.sweepDue();
    const rows = await this.#database.read((db) => {
      const query = db
        .selectFrom("governance_artifact")
        .select(["artifact_type", "key", ...ageColumns])
        .where((where) => where.and(this.#scope(filter)))
        // Not as a plain column: SQLite would go by the index of expiry, and sort all artifacts for each page.
        .where(sql<boolean>`expires_at + 0 > ${this.#now()}`)
        .orderBy("artifact_type")
        .orderBy("key")
        .limit(limit + 1);
      if (!after) return query.execute();
      const { artifact_type, key } = after;
      return query
        .where((where) =>
          where.or([
            where("artifact_type", ">", artifact_type),
            where.and([where("artifact_type", "=", artifact_type), where("key", ">", key)]),
          ]),
        )
        .execute();
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

  async remove(by: Author, ref: ArtifactRef): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.#delete(tx, ref);
      await this.#noteStored(tx, by, ref);
    });
  }

  /** Whose text it is, unless an earlier one of the name can come back. */
  async #noteStored(tx: Tx, by: Author, ref: ArtifactRef): Promise<void> {
    if (!(await isInTrash(tx, this.#scope(ref)))) await by.stored?.(tx, storeKey(ref));
  }

  async clear(by: Actor, filter: ArtifactFilter): Promise<number> {
    await this.#expiry.sweep();
    const total = await this.#count("governance_artifact", filter);
    let cleared = 0;
    for (let isMore = true; isMore; ) {
      const moved = await this.#database.transaction(
        async (tx) => {
          const count = await this.#clearSome(tx, filter);
          if (cleared === 0) await this.#ledger.commit(tx, by.record);
          return count;
        },
        { isLong: true },
      );
      cleared += moved;
      isMore = moved > 0 && cleared < total;
    }
    await this.#expiry.limitTrash(filter.project_id);
    return cleared;
  }

  async #clearSome(tx: Tx, filter: ArtifactFilter): Promise<number> {
    const artifacts = tx.selectFrom("governance_artifact").where((where) => where.and(this.#scope(filter)));
    const found = await artifacts
      .select(["project_id", "artifact_type", "key", "size"])
      .limit(maxBatch.artifacts)
      .execute();
    const batch = takeBatch(found);
    if (batch.length === 0) return 0;
    await tx
      .insertInto("governance_artifact_trash")
      .columns([...storedColumns, "cleared_at"])
      .expression(
        artifacts.select([...storedColumns, sql<number>`${this.#now()}`.as("cleared_at")]).where(isAmong(batch)),
      )
      .execute();
    const gone = tx.deleteFrom("governance_artifact").where((where) => where.and(this.#scope(filter)));
    await gone.where(isAmong(batch)).execute();
    await this.#usage.subtract(tx, batch);
    return batch.length;
  }

  async restore(by: Actor, filter: ArtifactFilter): Promise<number> {
    await this.#expiry.sweep();
    const total = await this.#count("governance_artifact_trash", filter);
    let emptied = 0;
    let restored = 0;
    for (let isFirst = true, isMore = true; isMore; isFirst = false) {
      const part = await this.#database.transaction(
        async (tx) => {
          const some = await this.#restoreSome(tx, filter);
          if (isFirst) await this.#ledger.commit(tx, by.record);
          return some;
        },
        { isLong: true },
      );
      restored += part.restored;
      emptied += part.emptied;
      isMore = part.emptied > 0 && emptied < total;
    }
    return restored;
  }

  async #restoreSome(tx: Tx, filter: ArtifactFilter): Promise<{ emptied: number; restored: number }> {
    const { emptied, restored } = await restoreBatch(tx, this.#scope(filter));
    const size = restored.reduce((total, one) => total + one.size, 0);
    if (restored.length > 0) await this.#usage.add(tx, filter.project_id, restored.length, size);
    return { emptied, restored: restored.length };
  }

  /** How many there are to begin with. Clearing and restoring at the same time would otherwise go on for ever. */
  async #count(table: "governance_artifact" | "governance_artifact_trash", filter: ArtifactFilter): Promise<number> {
    const row = await this.#database.read((db) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where((where) => where.and(this.#scope(filter)))
        .executeTakeFirstOrThrow(),
    );
    return Number(row.count);
  }

  #scope({ project_id, artifact_type, key }: ArtifactFilter & { key?: string }) {
    return {
      team: this.#team,
      project_id,
      ...(artifact_type !== undefined && { artifact_type }),
      ...(key !== undefined && { key }),
    };
  }

  async #delete(tx: Tx, filter: ArtifactFilter & { key?: string }): Promise<number> {
    const gone = await tx
      .deleteFrom("governance_artifact")
      .where((where) => where.and(this.#scope(filter)))
      .returning(["project_id", "size"])
      .execute();
    await this.#usage.subtract(tx, gone);
    return gone.length;
  }

  #ageOf({ created_at, expires_at, size }: Pick<ArtifactTable, (typeof ageColumns)[number]>) {
    const now = this.#now();
    return {
      source: "disk" as const,
      age_seconds: Math.max(0, Math.round((now - created_at) / 1_000)),
      ttl_remaining_seconds: Math.max(0, Math.round((expires_at - now) / 1_000)),
      size_chars: size,
    };
  }
}
