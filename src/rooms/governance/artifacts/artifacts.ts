import type { Author } from "../../../commons/guard/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import {
  type Artifact,
  type ArtifactEntry,
  type ArtifactFilter,
  type ArtifactPage,
  type ArtifactRef,
  type ArtifactStore,
  type ClearedArtifacts,
  type NewArtifact,
  type ReplacedArtifact,
  storeKey,
} from "../model/artifact.ts";
import { limits } from "../model/limits.ts";
import { steadyClock } from "../model/steady-clock.ts";
import { artifactNotFound, artifactTooLarge, notJson, projectFull } from "./errors.ts";
import type { LegacyArtifacts } from "./legacy-artifacts.ts";
import { type ListPlace, parseListCursor } from "./list-cursor.ts";

type HeldArtifact = {
  ref: ArtifactRef;
  content: unknown;
  size: number;
  createdAt: number;
  expiresAt: number;
  /** Whoever stored it may have followed others. What is known of its name in the store can be about another one. */
  isByOthers: boolean;
};

const memoryLimits = { artifacts: 10_000, characters: 64 * 1_048_576 } as const;
const defaultPage = 100;

type ArtifactsOptions = { store: ArtifactStore; legacy?: LegacyArtifacts | undefined; now?: () => number };

/**
 * Everything that artifact tools do. What is to last is in the store; what is not lives in this process only; and files of an
 * earlier program are read where they are.
 */
export class Artifacts {
  readonly #store: ArtifactStore;
  readonly #legacy: LegacyArtifacts | undefined;
  readonly #now: () => number;
  readonly #memory = new Map<string, HeldArtifact>();

  constructor({ store, legacy, now = steadyClock() }: ArtifactsOptions) {
    this.#store = store;
    this.#legacy = legacy;
    this.#now = now;
  }

  /** `replaced`: for who may follow others, what they may replace. */
  async put(by: Author, artifact: NewArtifact, persist: boolean, replaced?: ReplacedArtifact) {
    const { project_id, artifact_type, key, content, ttl_hours } = artifact;
    const text = JSON.stringify(content);
    if (text === undefined) throw notJson();
    if (text.length > limits.artifact) throw artifactTooLarge(text.length, limits.artifact);
    const ref = { project_id, artifact_type, key };
    const name = storeKey(ref);
    if (persist) {
      await this.#store.store(by, artifact, replaced);
      this.#memory.delete(name);
    } else {
      this.#hold({ ref, content, size: text.length, isByOthers: replaced !== undefined }, ttl_hours);
      await this.#store.remove(by, ref);
    }
    return { stored: true, store_key: name, artifact_type, key, ttl_hours, size_chars: text.length };
  }

  async get(ref: ArtifactRef): Promise<Artifact> {
    this.#forgetExpired();
    const held = this.#memory.get(storeKey(ref));
    if (held) return { ...ref, content: held.content, ...this.#ageOf(held) };
    const found = (await this.#store.get(ref)) ?? (await this.#legacy?.get(ref));
    if (!found) throw artifactNotFound(ref);
    return found;
  }

  /** Whether it lives in this process, and was stored by who may have followed others. */
  isHeldByOthers(ref: ArtifactRef): boolean {
    return this.#memory.get(storeKey(ref))?.isByOthers === true;
  }

  /** Of a team: its members store and replace them. */
  get isShared(): boolean {
    return this.#store.isShared === true;
  }

  async find(ref: ArtifactRef): Promise<Pick<Artifact, "content"> | undefined> {
    this.#forgetExpired();
    return this.#memory.get(storeKey(ref)) ?? (await this.#store.get(ref)) ?? (await this.#legacy?.get(ref));
  }

  /** By type and key. Those in memory and in files of an earlier program are few, and merged into each page. */
  async list(
    filter: ArtifactFilter,
    { cursor, limit = defaultPage }: { cursor?: string | undefined; limit?: number | undefined },
  ): Promise<ArtifactPage> {
    this.#forgetExpired();
    const page = await this.#store.list(filter, { cursor, limit });
    const after = parseListCursor(cursor);
    const last = page.next_cursor === undefined ? undefined : page.artifacts.at(-1);
    const isOnPage = (entry: ArtifactEntry) =>
      (!after || compare(entry, after) > 0) && (!last || compare(entry, last) <= 0);
    const files = ((await this.#legacy?.list(filter)) ?? []).filter(isOnPage);
    const held = this.#heldEntries(filter).filter(isOnPage);
    // Of entries with one key the last counts: what `get` would return.
    const byKey = new Map([...files, ...page.artifacts, ...held].map((entry) => [entry.store_key, entry]));
    return { ...page, artifacts: [...byKey.values()].sort(compare) };
  }

  async clear(by: Actor, filter: ArtifactFilter): Promise<ClearedArtifacts> {
    const held = this.#heldEntries(filter);
    const stored = await this.#store.clear(by, filter);
    const files = (await this.#legacy?.clear(filter)) ?? 0;
    for (const { store_key } of held) this.#memory.delete(store_key);
    return { cleared_memory: held.length, cleared_disk: stored + files };
  }

  async restore(by: Actor, filter: ArtifactFilter): Promise<number> {
    return (await this.#store.restore(by, filter)) + ((await this.#legacy?.restore(filter)) ?? 0);
  }

  #hold(held: Omit<HeldArtifact, "createdAt" | "expiresAt">, ttlHours: number): void {
    this.#forgetExpired();
    const { ref, size } = held;
    const name = storeKey(ref);
    const others = [...this.#memory].filter(([known]) => known !== name).map(([, other]) => other);
    if (others.length >= memoryLimits.artifacts)
      throw projectFull(ref.project_id, memoryLimits.artifacts, "artifacts in memory");
    if (others.reduce((sum, other) => sum + other.size, size) > memoryLimits.characters)
      throw projectFull(ref.project_id, memoryLimits.characters, "characters in memory");
    const now = this.#now();
    this.#memory.set(name, { ...held, createdAt: now, expiresAt: now + ttlHours * 3_600_000 });
  }

  #heldEntries({ project_id, artifact_type }: ArtifactFilter): ArtifactEntry[] {
    return [...this.#memory.values()]
      .filter(({ ref }) => ref.project_id === project_id && (artifact_type ?? ref.artifact_type) === ref.artifact_type)
      .map((held) => ({
        store_key: storeKey(held.ref),
        artifact_type: held.ref.artifact_type,
        key: held.ref.key,
        ...this.#ageOf(held),
      }));
  }

  #forgetExpired(): void {
    const now = this.#now();
    for (const [name, { expiresAt }] of this.#memory) if (expiresAt <= now) this.#memory.delete(name);
  }

  #ageOf({ createdAt, expiresAt, size }: HeldArtifact) {
    const now = this.#now();
    return {
      source: "memory" as const,
      age_seconds: Math.round((now - createdAt) / 1_000),
      ttl_remaining_seconds: Math.max(0, Math.round((expiresAt - now) / 1_000)),
      size_chars: size,
    };
  }
}

function compare(a: ListPlace, b: ListPlace): number {
  return compareTexts(a.artifact_type, b.artifact_type) || compareTexts(a.key, b.key);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
