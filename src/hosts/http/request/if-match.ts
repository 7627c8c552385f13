import { ForgeError } from "../../../kernel/errors.ts";

/** The revision in an If-Match header. `*` only requires that the thing exists, as every change does. */
export function parseIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const revision = /^(?:W\/)?"(\d{1,15})"$/.exec(header.trim())?.[1];
  if (revision !== undefined) return Number(revision);
  throw new ForgeError("VALIDATION_ERROR", "The If-Match header is not an ETag of this server.", {
    details: { expected: '"3", as in the ETag header, or *' },
    next: ["Send the ETag of the response that your change is based on, with its quotes."],
  });
}

export function etagOf(revision: number): string {
  return `"${revision}"`;
}
