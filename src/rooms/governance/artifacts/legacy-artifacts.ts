import { ForgeError } from "../../../kernel/errors.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { Trash } from "../../../platform/files/trash/trash.ts";
import {
  type Artifact,
  type ArtifactEntry,
  type ArtifactFilter,
  type ArtifactRef,
  artifactTypes,
  storeKey,
} from "../model/artifact.ts";
import { limits } from "../model/limits.ts";

const folder = ".forge_artifacts";
/** As another program wrote it: `<key>.json`. */
const ending = ".json";
/** Names that are one part of a path on every system; other keys never became a file. */
const plainName = /^(?!\.{1,2}$)[^/\\:*?"<>|\p{Cc}]{1,200}$/u;

/**
 * Artifacts that another program left in `.forge_artifacts/PROJECT/TYPE/KEY.json`: the bare content, without a time to live.
 * They are read, listed and cleared, and never written.
 */
export class LegacyArtifacts {
  readonly #root: SafeRoot;
  readonly #trash: Trash;

  constructor(root: string, stateDir: string) {
    this.#root = SafeRoot.at(root);
    this.#trash = new Trash(stateDir);
  }

  async get(ref: ArtifactRef): Promise<Artifact | undefined> {
    const path = pathOf(ref);
    if (path === undefined) return undefined;
    const read = await unlessMissing(() => this.#root.readText(path, { maxBytes: limits.artifact }));
    if (!read) return undefined;
    return { ...ref, content: parseContent(read.text), ...unknownAge, size_chars: read.text.length };
  }

  /** By type and key, all of them. */
  async list({ project_id, artifact_type }: ArtifactFilter): Promise<ArtifactEntry[]> {
    const entries: ArtifactEntry[] = [];
    if (!plainName.test(project_id)) return entries;
    for (const type of artifactTypes) {
      if (artifact_type !== undefined && type !== artifact_type) continue;
      const found = await unlessMissing(() => this.#root.list(`${folder}/${project_id}/${type}`));
      for (const { name, kind } of found?.entries ?? []) {
        if (kind !== "file" || !name.endsWith(ending)) continue;
        const key = name.slice(0, -ending.length);
        const stat = await this.#root.stat(`${folder}/${project_id}/${type}/${name}`);
        const ref = { project_id, artifact_type: type, key };
        entries.push({
          store_key: storeKey(ref),
          artifact_type: type,
          key,
          ...unknownAge,
          size_chars: stat?.bytes ?? 0,
        });
      }
    }
    return entries;
  }

  /** Moves the files to the project's trash. */
  async clear(filter: ArtifactFilter): Promise<number> {
    const entries = await this.list(filter);
    for (const { artifact_type, key } of entries) await this.remove({ ...filter, artifact_type, key });
    return entries.length;
  }

  async remove(ref: ArtifactRef): Promise<void> {
    const path = pathOf(ref);
    if (path !== undefined) await unlessMissing(() => this.#root.delete(path, this.#trash));
  }

  /** Brings back what was cleared less than a day ago. */
  async restore({ project_id, artifact_type }: ArtifactFilter): Promise<number> {
    const start = `${folder}/${project_id}/${artifact_type === undefined ? "" : `${artifact_type}/`}`;
    const since = Date.now() - 86_400_000;
    let restored = 0;
    for (const { id, path, deletedAt } of await this.#trash.list()) {
      if (!path.startsWith(start) || deletedAt < since || (await this.#root.stat(path))) continue;
      await this.#root.restore(id, this.#trash);
      restored++;
    }
    return restored;
  }
}

const unknownAge = { source: "disk", age_seconds: null, ttl_remaining_seconds: null } as const;

function pathOf({ project_id, artifact_type, key }: ArtifactRef): string | undefined {
  return plainName.test(project_id) && plainName.test(key)
    ? `${folder}/${project_id}/${artifact_type}/${key}${ending}`
    : undefined;
}

function parseContent(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A path that cannot be read, for whatever reason, is not an artifact. */
async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
