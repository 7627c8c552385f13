import { createHash } from "node:crypto";
import type { Author } from "../../../commons/guard/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";

export const artifactTypes = ["contract", "scout", "renovation", "directive", "phase", "seal", "diff"] as const;
export type ArtifactType = (typeof artifactTypes)[number];

export type ArtifactRef = { project_id: string; artifact_type: ArtifactType; key: string };

export type NewArtifact = ArtifactRef & { content: unknown; ttl_hours: number };

export type ArtifactFilter = { project_id: string; artifact_type?: ArtifactType | undefined };

type ArtifactAge = {
  source: "memory" | "disk";
  /** Null for files of other programs, which say nothing of it. */
  age_seconds: number | null;
  ttl_remaining_seconds: number | null;
  size_chars: number;
};

export type Artifact = ArtifactRef & ArtifactAge & { content: unknown };

export type ArtifactEntry = Omit<ArtifactRef, "project_id"> & ArtifactAge & { store_key: string };

export type ArtifactPage = { artifacts: ArtifactEntry[]; next_cursor?: string };

export type ClearedArtifacts = { cleared_memory: number; cleared_disk: number };

/** What a new artifact was said to replace. */
export type ReplacedArtifact = { before: Pick<Artifact, "content"> | undefined };

/** Where artifacts are kept beyond the process: the project's store, or a team's server. */
export interface ArtifactStore {
  /** Other people store artifacts in it, too. */
  readonly isShared?: true;
  /** `replaced`: what may be replaced, if not whatever is there. */
  store(by: Author, artifact: NewArtifact, replaced?: ReplacedArtifact): Promise<{ size_chars: number }>;
  get(ref: ArtifactRef): Promise<Artifact | undefined>;
  list(filter: ArtifactFilter, page: { cursor?: string | undefined; limit: number }): Promise<ArtifactPage>;
  /** Removes one without keeping it. */
  remove(by: Author, ref: ArtifactRef): Promise<void>;
  /** Moves them to the trash, for a day. */
  clear(by: Actor, filter: ArtifactFilter): Promise<number>;
  /** Brings back what was cleared within the last day and has not been stored again since. */
  restore(by: Actor, filter: ArtifactFilter): Promise<number>;
}

/** One text for each artifact. The parts are encoded, so that two artifacts never share it. */
export function storeKey({ project_id, artifact_type, key }: ArtifactRef): string {
  return ["project", project_id, artifact_type, key].map((part) => part.replace(/[%:]/g, encodeURIComponent)).join(":");
}

/** Its name among the texts that assistants store. The key can be long, a name in the store not. */
export function artifactSubject(ref: ArtifactRef): string {
  return `artifact:${createHash("sha256").update(storeKey(ref)).digest("hex")}`;
}
