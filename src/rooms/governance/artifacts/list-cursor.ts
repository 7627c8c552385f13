import { invalidCursor } from "../../../kernel/page.ts";

/** Where a page of artifacts ends. */
export type ListPlace = { artifact_type: string; key: string };

export function formatListCursor({ artifact_type, key }: ListPlace): string {
  return Buffer.from(JSON.stringify([artifact_type, key])).toString("base64url");
}

export function parseListCursor(cursor: string | undefined): ListPlace | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [artifact_type, key]: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    // PostgreSQL does not take every text.
    const isPlace =
      typeof artifact_type === "string" && typeof key === "string" && !`${artifact_type}${key}`.includes("\0");
    if (isPlace) return { artifact_type, key };
  } catch {
    // Said below.
  }
  throw invalidCursor();
}
