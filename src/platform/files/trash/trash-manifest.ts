/** What a deleted file was. */
export type Manifest = {
  /** Relative to the project's folder, with forward slashes. */
  path: string;
  deletedAt: number;
  bytes: number;
};

export const manifestName = "manifest.json";
export const maxManifestBytes = 65_536;

export function manifestText({ path, deletedAt, bytes }: Manifest): string {
  return `${JSON.stringify({ version: 1, path, deletedAt, bytes })}\n`;
}

/** Undefined if it is not one of our manifests: the file may be damaged, or written by someone else. */
export function parseManifest(content: Buffer): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(content.toString("utf8"));
    if (parsed === null || typeof parsed !== "object") return undefined;
    const { path, deletedAt, bytes }: Partial<Record<keyof Manifest, unknown>> = parsed;
    if (typeof path !== "string" || typeof deletedAt !== "number" || typeof bytes !== "number") return undefined;
    return { path, deletedAt, bytes };
  } catch {
    return undefined;
  }
}
