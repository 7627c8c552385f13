const mebibyte = 1_048_576;

export const limits = {
  /** Characters of a project's, build's or session's id. */
  id: 100,
  name: 200,
  /** Characters of a name, a path or a sentence. */
  line: 10_000,
  /** Characters of an artifact's key. */
  key: 400,
  /** Bytes of one contract. */
  contract: mebibyte,
  /** Characters of an artifact's content as JSON. */
  artifact: 4 * mebibyte,
  listed: 1_000,
  ttlHours: 24 * 365,
} as const;

/** Of one project's artifacts together. */
export const artifactQuota = { artifacts: 200_000, characters: 512 * mebibyte } as const;

export const defaultTtlHours = 24;
