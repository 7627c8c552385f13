import { ForgeError } from "../../../kernel/errors.ts";

/** The revision in an If-Match header. `*` asks for nothing but that there is something, which every change does. */
export function revisionIn(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const revision = /^(?:W\/)?"(\d{1,15})"$/.exec(header.trim())?.[1];
  if (revision !== undefined) return Number(revision);
  throw new ForgeError("VALIDATION_ERROR", "The If-Match header is not the ETag of an answer.", {
    details: { expected: '"3", as it stood in ETag, or *' },
    next: ["Send the ETag of the answer that your change is made from, with its quotes."],
  });
}

export function etagOf(revision: number): string {
  return `"${revision}"`;
}
