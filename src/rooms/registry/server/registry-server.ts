import { setImmediate as nextTurn } from "node:timers/promises";
import type { Transaction } from "kysely";
import { ForgeError } from "../../../kernel/errors.ts";
import { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isAddress, scopeOf } from "../client/definitions/reference.ts";
import { compareVersions } from "../client/definitions/versions.ts";
import { integrityMismatch } from "../client/errors.ts";
import { integrityOf, readArchive } from "../client/packages/archive.ts";
import { invalidSignature } from "../client/packages/errors.ts";
import { type PackageManifest, type PackagePart, readManifest, readParts } from "../client/packages/read-package.ts";
import { isSignedBy, parseSignature, type Signature } from "../client/packages/signature.ts";
import { pluginFacts } from "../client/plugins/manifest.ts";
import { notYours, packageNotFound, scopeTaken, versionTaken, wrongPackage } from "./errors.ts";
import { laterOf, latestAfterYank, noteChange } from "./latest-version.ts";
import { type NewPackage, type NewVersion, partName, partOf, pluginOf, versionOf } from "./new-package.ts";
import {
  type FoundPackage,
  type PackageKind,
  type PackageRow,
  PackageStore,
  type SearchRequest,
} from "./package-store.ts";
import { PublishQueue } from "./publish-queue.ts";
import type { RegistryTables, VersionTable } from "./schema.ts";

/** What else a scope could contain only makes it look like another: `@ACME`, `@acme.`, `@acme--`. */
const plainScope = /^@[a-z0-9]+(?:-[a-z0-9]+)*$/;

const describedAtOnce = 20;

type Publisher = {
  team: string;
  name: string;
  /** Throws if they may not publish any more. */
  confirm?(): Promise<void>;
};
type Upload = { archive: Uint8Array; integrity?: string | undefined; signature?: Signature | undefined };
type Yank = { name: string; version: string; reason: string | undefined };
type Published = { name: string; version: string; integrity: string; size: number; isNew: boolean };

/** The packages of a server. Everyone who is signed in may read them; a team publishes in scopes of its own. */
export class RegistryServer {
  readonly #store: PackageStore;
  readonly #blobs: Blobs;
  readonly #queue = new PublishQueue();

  constructor(database: Database<unknown>) {
    this.#store = new PackageStore(database);
    this.#blobs = new Blobs(database.forTables());
  }

  /** The same content again changes nothing, so that an upload whose answer was lost can be repeated. */
  publish(by: Publisher, upload: Upload): Promise<Published> {
    return this.#queue.run(by.team, () => this.#publish(by, upload));
  }

  async #publish(by: Publisher, { archive, integrity: expected, signature }: Upload): Promise<Published> {
    const integrity = integrityOf(archive);
    if (expected !== undefined && expected !== integrity) throw integrityMismatch("The archive", expected, integrity);
    const { manifest, parts: read } = await readUpload(archive);
    const scope = scopeOf(manifest.name);
    if (scope === undefined && by.team !== "")
      throw wrongPackage("its name has no scope", "Use a name such as @team/name in the manifest.");
    if (scope !== undefined && by.team !== "" && !plainScope.test(scope))
      throw wrongPackage(
        "its scope could be taken for another one",
        "Use lower case letters, digits and single hyphens.",
      );
    const signed = { name: manifest.name, version: manifest.version, integrity };
    if (signature && !isSignedBy(signature, signed)) throw invalidSignature(manifest.name, manifest.version);
    // One whose name cannot be asked for comes with its plugin only.
    const parts = read.filter(({ name }) => isAddress(partName(name, scope)));
    // It may have waited for others for long.
    await by.confirm?.();
    const { sha256 } = await this.#blobs.put(archive);
    const isNew = await this.#store.transaction(async (tx) => {
      if (scope !== undefined) await ownScope(tx, scope, by.team);
      const version = {
        version: manifest.version,
        document: JSON.stringify(manifest.fields),
        integrity,
        blob: sha256,
        size: archive.length,
        signature: signature ? JSON.stringify(signature) : null,
      };
      if (!(await this.#add(tx, pluginOf(manifest), version, by))) return false;
      for (const part of parts) {
        await this.#add(tx, partOf(part, manifest), versionOf(part, manifest), by);
        await nextTurn();
      }
      return true;
    });
    return { ...signed, size: archive.length, isNew };
  }

  /** Withdraws a version, or with no reason offers it again. What is installed stays; new installations do not choose it. */
  yank(by: Publisher, name: string, version: string, reason: string | undefined): Promise<void> {
    return this.#queue.run(by.team, async () => {
      // It may have waited for others for long.
      await by.confirm?.();
      await this.#store.transaction((tx) => this.#yank(tx, by, { name, version, reason }));
    });
  }

  async #yank(tx: Transaction<RegistryTables>, by: Publisher, { name, version, reason }: Yank): Promise<void> {
    const found = await tx
      .selectFrom("registry_package")
      .select(["seq", "kind", "latest"])
      .where((is) => is.or([is("name", "=", name), is("plugin", "=", name)]))
      .execute();
    if (!found.some(({ kind }) => kind === "plugin")) throw packageNotFound("plugin", name, version);
    // Packages without a scope are the server's own: no team may withdraw them.
    const scope = scopeOf(name);
    if (scope !== undefined) await ownScope(tx, scope, by.team);
    else if (by.team !== "") throw notYours(name);
    const isYanked = reason !== undefined;
    for (const { seq, kind, latest } of found) {
      const { numUpdatedRows } = await tx
        .updateTable("registry_version")
        .set({ yanked: reason ?? null })
        .where("package", "=", seq)
        .where("version", "=", version)
        .executeTakeFirst();
      if (kind === "plugin" && numUpdatedRows === 0n) throw packageNotFound("plugin", name, version);
      // Not every part is in every version of its plugin.
      if (numUpdatedRows > 0n) await noteChange(tx, seq, await latestAfterYank(tx, { seq, latest, version, isYanked }));
      await nextTurn();
    }
  }

  async metadata(kind: PackageKind, name: string): Promise<Record<string, unknown>> {
    const row = await this.#package(kind, name);
    const versions = (await this.#store.versionsOf(row)).sort((a, b) => compareVersions(b.version, a.version));
    const described: Record<string, unknown>[] = [];
    for (const version of versions) {
      described.push(describeVersion(kind, version));
      // Together their manifests can have millions of dependencies: others are answered in between.
      if (described.length % describedAtOnce === 0) await nextTurn();
    }
    return {
      ...formatPackage(row),
      serial: row.serial,
      generatedAt: new Date().toISOString(),
      versions: described,
    };
  }

  async version(kind: PackageKind, name: string, wanted: string): Promise<Record<string, unknown>> {
    const row = await this.#package(kind, name);
    const version = await this.#version(row, wanted);
    const document = JSON.parse(version.document) as Record<string, unknown>;
    const facts = {
      name,
      version: version.version,
      integrity: version.integrity,
      publishedAt: new Date(version.published_at).toISOString(),
      publishedBy: version.published_by,
      ...(version.yanked !== null && { yanked: true, reason: version.yanked }),
    };
    if (kind !== "plugin") return { ...facts, type: kind, plugin: row.plugin, ...document };
    return {
      ...facts,
      size: version.size,
      manifest: document,
      ...(version.signature !== null && { signature: parseSignature(JSON.parse(version.signature)) }),
      archive: `plugins/${encodeURIComponent(name)}/versions/${encodeURIComponent(version.version)}/archive`,
    };
  }

  /** The archive of a version, withdrawn or not: a lock file may name it. */
  async download(name: string, wanted: string): Promise<{ bytes: Uint8Array; integrity: string }> {
    const row = await this.#package("plugin", name);
    const { blob, integrity } = await this.#version(row, wanted);
    if (blob === null) throw packageNotFound("plugin", name, wanted);
    const bytes = await this.#blobs.get(blob);
    await this.#store.countDownload(row);
    return { bytes, integrity };
  }

  async search(request: SearchRequest): Promise<{ results: Record<string, unknown>[]; total: number }> {
    const { rows, total } = await this.#store.search(request);
    return { results: rows.map((row) => ({ ...formatPackage(row), version: row.latest })), total };
  }

  async #package(kind: PackageKind, name: string): Promise<PackageRow> {
    const row = await this.#store.find(kind, name);
    if (!row) throw packageNotFound(kind, name);
    return row;
  }

  async #version(row: PackageRow, wanted: string): Promise<VersionTable> {
    const version = await this.#store.versionOf(row, wanted === "latest" ? (row.latest ?? "") : wanted);
    if (!version) throw packageNotFound(row.kind, row.name, wanted);
    return version;
  }

  /** Whether the version is new. With the same content it is not; with any other that is an error. */
  async #add(
    tx: Transaction<RegistryTables>,
    { tags, ...fields }: NewPackage,
    version: NewVersion,
    by: Publisher,
  ): Promise<boolean> {
    const { kind, name, plugin } = fields;
    const now = Date.now();
    const [existing] = await tx
      .selectFrom("registry_package")
      .selectAll()
      .where("kind", "=", kind)
      .where("name", "=", name)
      .execute();
    // Two plugins of one scope can have a part of the same name: the first one keeps it.
    if (existing && existing.plugin !== plugin) return false;
    const said = { ...fields, tags: JSON.stringify(tags), updated_at: now };
    const seq =
      existing?.seq ??
      (
        await tx
          .insertInto("registry_package")
          .values({ ...said, latest: null, downloads: 0, serial: 0 })
          .returning("seq")
          .executeTakeFirstOrThrow()
      ).seq;
    const [same] = await tx
      .selectFrom("registry_version")
      .select("integrity")
      .where("package", "=", seq)
      .where("version", "=", version.version)
      .execute();
    if (same && same.integrity === version.integrity) return false;
    if (same) throw versionTaken(name, version.version);
    if (kind === "plugin") await this.#store.requireRoom(tx, { seq, name });
    await tx
      .insertInto("registry_version")
      .values({ ...version, package: seq, published_at: now, published_by: by.name, yanked: null })
      .execute();
    const latest = laterOf(version.version, existing?.latest ?? null);
    await noteChange(tx, seq, latest);
    // The newest version says what the package is, not a fix of an old one.
    if (latest !== version.version) return true;
    await tx.updateTable("registry_package").set(said).where("seq", "=", seq).execute();
    await this.#store.index(tx, seq, [name, fields.description ?? "", fields.author ?? "", ...tags]);
    return true;
  }
}

/** A package that could not be installed is refused here, so that its publisher can correct it. */
async function readUpload(archive: Uint8Array): Promise<{ manifest: PackageManifest; parts: PackagePart[] }> {
  try {
    const files = await readArchive(archive);
    return { manifest: readManifest(files), parts: await readParts(files) };
  } catch (error) {
    const why = error instanceof ForgeError ? error.details?.["why"] : undefined;
    throw typeof why === "string" ? wrongPackage(why, "Correct the package and publish it again.") : error;
  }
}

/** A scope belongs to the team that first publishes in it. */
async function ownScope(tx: Transaction<RegistryTables>, scope: string, team: string): Promise<void> {
  await tx
    .insertInto("registry_scope")
    .values({ scope, team, created_at: Date.now() })
    .onConflict((conflict) => conflict.column("scope").doNothing())
    .execute();
  const owner = await tx.selectFrom("registry_scope").select("team").where("scope", "=", scope).executeTakeFirst();
  if (owner?.team !== team) throw scopeTaken(scope);
}

function formatPackage(row: FoundPackage): Record<string, unknown> {
  const { name, kind, description, author, latest, downloads, plugin, updated_at } = row;
  return {
    name,
    type: kind,
    ...(description !== null && { description }),
    ...(author !== null && { author }),
    tags: JSON.parse(row.tags) as unknown,
    ...(latest !== null && { latest }),
    ...(plugin !== null && { plugin }),
    downloads: Number(downloads),
    updatedAt: new Date(updated_at).toISOString(),
  };
}

function describeVersion(
  kind: PackageKind,
  version: Omit<VersionTable, "document"> & { document?: string },
): Record<string, unknown> {
  return {
    version: version.version,
    integrity: version.integrity,
    size: version.size,
    publishedAt: new Date(version.published_at).toISOString(),
    ...(kind === "plugin" && { dependencies: dependenciesIn(version) }),
    ...(version.signature !== null && { signature: JSON.parse(version.signature) as unknown }),
    ...(version.yanked !== null && { yanked: true, reason: version.yanked }),
  };
}

function dependenciesIn({ document = "{}" }: { document?: string }): Record<string, string> {
  return pluginFacts(JSON.parse(document) as Record<string, unknown>).dependencies ?? {};
}
