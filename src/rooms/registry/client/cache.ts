import { createHash } from "node:crypto";
import { dirname, isAbsolute, join, parse } from "node:path";
import { isRecord } from "../../../kernel/json.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { explainErrors } from "../../../platform/files/file-error.ts";
import { listFolder } from "../../../platform/files/root/list-folder.ts";
import { readSmallFile } from "../../../platform/files/small-file.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { ensurePrivateFolder } from "../../../platform/files/write/private-folder.ts";
import { isFolder } from "../../../platform/state/project.ts";
import { cacheTrouble } from "./errors.ts";
import type { CacheCleared, CacheStats, CacheType } from "./types.ts";

export type Bucket = "manifests" | "downloads";

/** Something a registry sent, with what is needed to ask again and to see that nobody changed it. */
export type CachedAnswer = { key: string; body: string; sha256: string; etag?: string; fetchedAt: number; ttl: number };

const buckets: readonly Bucket[] = ["manifests", "downloads"];
const entryFile = /^[0-9a-f]{64}\.json$/;
const maxEntries = 100_000;
const day = 86_400_000;

/**
 * What was fetched, in files named by the hash of their key. Every entry carries the hash of its content, checked whenever
 * it is read; only files that this class wrote are ever counted or removed, wherever the cache is said to be.
 */
export class Cache {
  readonly location: string;
  readonly #legacy: string | undefined;

  constructor(location: string, legacy?: string) {
    this.location = location;
    this.#legacy = legacy;
  }

  async get(bucket: Bucket, key: string): Promise<CachedAnswer | undefined> {
    const entry = await this.#readEntry(bucket, `${hash(key)}.json`);
    return entry?.key === key ? entry : undefined;
  }

  async put(bucket: Bucket, entry: Omit<CachedAnswer, "sha256">): Promise<void> {
    const text = JSON.stringify({ ...entry, sha256: hash(entry.body) });
    await this.#write(this.#path(bucket, `${hash(entry.key)}.json`), text);
  }

  /** What the original program fetched from the same place, taken over the first time that it is asked for. */
  async importLegacy(key: string, registry: { name: string; url: string }): Promise<CachedAnswer | undefined> {
    const found = this.#legacyManifest(registry);
    if (!found) return undefined;
    await this.put("manifests", { key, ...found });
    return this.get("manifests", key);
  }

  async remove(bucket: Bucket, key: string): Promise<void> {
    await removePrivateFile(this.#path(bucket, `${hash(key)}.json`));
  }

  async readIndex(key: string): Promise<Buffer | undefined> {
    try {
      return await readPrivateFile(this.#path("index", `${key}.jsonl`), maxIndexBytes);
    } catch {
      return undefined;
    }
  }

  /** A cache that cannot be written costs time and nothing else. */
  async writeIndex(key: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.#write(this.#path("index", `${key}.jsonl`), bytes);
    } catch {
      // The next start reads the files again.
    }
  }

  /** The folders up to the cache may be missing in a new home. */
  async #write(path: string, content: string | Uint8Array): Promise<void> {
    await explainErrors(this.location, () => ensurePrivateFolder(dirname(this.location)));
    await writePrivateFile(path, content);
  }

  async stats(): Promise<CacheStats> {
    const [manifests, downloads] = [await this.#entries("manifests"), await this.#entries("downloads")];
    const times = manifests.map(({ fetchedAt }) => fetchedAt).sort((a, b) => a - b);
    const legacy = this.#legacyEntries();
    return {
      manifests: {
        count: manifests.length,
        size: showSize(sum(manifests)),
        oldestEntry: showTime(times[0]),
        newestEntry: showTime(times.at(-1)),
      },
      downloads: { count: downloads.length, size: showSize(sum(downloads)) },
      totalSize: showSize(sum(manifests) + sum(downloads)),
      location: this.location,
      ...(legacy && { legacy }),
    };
  }

  /** Removes entries, those alone that were fetched more than that many days ago where that is given. */
  async clear(type: CacheType, olderThanDays: number | undefined, dryRun = false): Promise<CacheCleared> {
    const cleared = { manifests: 0, downloads: 0 };
    let bytes = 0;
    const before = olderThanDays === undefined ? Number.POSITIVE_INFINITY : Date.now() - olderThanDays * day;
    for (const bucket of buckets) {
      if (type !== "all" && type !== bucket) continue;
      for (const { file, fetchedAt, size } of await this.#entries(bucket)) {
        if (fetchedAt >= before || (!dryRun && !(await removePrivateFile(this.#path(bucket, file))))) continue;
        cleared[bucket]++;
        bytes += size;
      }
    }
    return { ...cleared, totalSize: showSize(bytes) };
  }

  async #entries(bucket: Bucket): Promise<{ file: string; size: number; fetchedAt: number }[]> {
    const folder = join(this.#checkLocation(), bucket);
    const entry = entryAt(folder);
    if (entry?.isSymbolicLink()) throw cacheTrouble(folder, "is a symbolic link");
    if (!entry?.isDirectory()) return [];
    const found = [];
    for (const { name, kind } of listFolder(folder, maxEntries).entries) {
      if (kind !== "file" || !entryFile.test(name)) continue;
      const own = await this.#readEntry(bucket, name);
      if (own && `${hash(own.key)}.json` === name)
        found.push({ file: name, size: entryAt(join(folder, name))?.size ?? 0, fetchedAt: own.fetchedAt });
    }
    return found;
  }

  /** Undefined where there is none, and where it is not what was written. */
  async #readEntry(bucket: Bucket, file: string): Promise<CachedAnswer | undefined> {
    const bytes = await readPrivateFile(this.#path(bucket, file), maxEntryBytes);
    const entry = bytes === undefined ? undefined : parseEntry(bytes.toString("utf8"));
    return entry && hash(entry.body) === entry.sha256 ? entry : undefined;
  }

  #path(bucket: Bucket | "index", file: string): string {
    return join(this.#checkLocation(), bucket, file);
  }

  /** A link, a file or the top of a disk is not a cache folder. */
  #checkLocation(): string {
    const { location } = this;
    if (!isAbsolute(location)) throw cacheTrouble(location, "is not an absolute path");
    if (parse(location).root === location) throw cacheTrouble(location, "is the root folder of a disk");
    const entry = entryAt(location);
    if (entry?.isSymbolicLink()) throw cacheTrouble(location, "is a symbolic link");
    if (entry && !entry.isDirectory()) throw cacheTrouble(location, "is not a folder");
    return location;
  }

  /** Of its two layouts, one names the address and the other the registry. */
  #legacyManifest({ name, url }: { name: string; url: string }): Omit<CachedAnswer, "key" | "sha256"> | undefined {
    if (this.#legacy === undefined || !/^[\w.-]{1,100}$/.test(name)) return undefined;
    const own = readJson(join(this.#legacy, `${name}.json`));
    if (own?.["url"] === url && isRecord(own["manifest"]))
      return { body: JSON.stringify(own["manifest"]), fetchedAt: timeOf(own["fetched_at"]), ttl: 0 };
    const entries = readJson(join(this.#legacy, "metadata.json"))?.["entries"];
    const entry = isRecord(entries) ? entries[name] : undefined;
    const file = isRecord(entry) ? entry["file"] : undefined;
    if (!isRecord(entry) || typeof file !== "string" || !/^[\w.-]{1,200}$/.test(file)) return undefined;
    const manifest = readJson(join(this.#legacy, "manifests", file));
    return manifest && { body: JSON.stringify(manifest), fetchedAt: timeOf(entry["cached_at"]), ttl: 0 };
  }

  #legacyEntries(): CacheStats["legacy"] {
    if (this.#legacy === undefined || !isFolder(this.#legacy)) return undefined;
    const { entries } = listFolder(this.#legacy, maxEntries);
    const files = entries.filter(({ name, kind }) => kind === "file" && name.endsWith(".json"));
    return files.length === 0 ? undefined : { location: this.#legacy, entries: files.length };
  }
}

const maxEntryBytes = 32 * 1_048_576;
const maxIndexBytes = 128 * 1_048_576;

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readSmallFile(path, maxEntryBytes) ?? "null");
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function timeOf(value: unknown): number {
  const time = typeof value === "number" ? value : Date.parse(String(value));
  return Number.isFinite(time) ? time : 0;
}

function parseEntry(text: string): CachedAnswer | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    if (!isRecord(value)) return undefined;
    const { key, body, sha256, etag, fetchedAt, ttl } = value;
    if (typeof key !== "string" || typeof body !== "string" || typeof sha256 !== "string") return undefined;
    if (typeof fetchedAt !== "number" || typeof ttl !== "number") return undefined;
    return { key, body, sha256, fetchedAt, ttl, ...(typeof etag === "string" && { etag }) };
  } catch {
    return undefined;
  }
}

export function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function sum(entries: readonly { size: number }[]): number {
  return entries.reduce((total, { size }) => total + size, 0);
}

function showTime(at: number | undefined): string {
  return at === undefined ? "" : new Date(at).toISOString();
}

const units = ["B", "KB", "MB", "GB"];

function showSize(bytes: number): string {
  const unit = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
