import { lstatSync } from "node:fs";
import { ForgeError } from "../../../kernel/errors.ts";
import { isUntouched } from "../entry-stats.ts";
import type { Place } from "../write/durable-write.ts";
import type { EntryKind } from "./file-opener.ts";
import { showPath } from "./relative-path.ts";

/** What the file must be for a change to be made. Default: anything. */
export type Expectation = {
  state?: "absent" | "present";
  /** The hash of the content that the change was made from. */
  sha256?: string;
};

export function conflict(
  path: string,
  what: string,
  facts: { expected?: Expectation; currentSha256?: string },
): ForgeError {
  const { sha256: expectedSha256 } = facts.expected ?? {};
  return new ForgeError("CONFLICT_ERROR", `${showPath(path)} ${what}. Nothing was changed.`, {
    details: {
      path,
      ...(expectedSha256 !== undefined && { expectedSha256 }),
      ...(facts.currentSha256 !== undefined && { currentSha256: facts.currentSha256 }),
    },
    next: ["Read it again, apply the change to its current content, and call again."],
  });
}

/** Right before the new content is put in place: nobody has changed the file since its hash was taken. */
export function assertUnchanged(
  path: string,
  { opening, folder, name }: Place,
  before: Parameters<typeof isUntouched>[0],
): void {
  const now = lstatSync(opening.pathIn(folder, name), { bigint: true, throwIfNoEntry: false });
  if (!now || !isUntouched(before, now)) throw conflict(path, "was changed while this change was being made", {});
}

export function wrongKind(path: string, expected: "file" | "folder", kind: EntryKind): ForgeError {
  const found = { file: "a file", folder: "a folder", link: "a symbolic link", other: "not a regular file" }[kind];
  return new ForgeError(
    kind === "link" ? "PERMISSION_DENIED" : "VALIDATION_ERROR",
    `${showPath(path)} is ${found}, but a ${expected} was expected.`,
    {
      details: { path, expected, found: kind },
      next: [
        kind === "link"
          ? "Use the path of the file that it leads to."
          : "List the folder above it to see what is there.",
      ],
    },
  );
}

export function assertContentFits(path: string, content: string | Uint8Array, limit: number): Uint8Array {
  if (typeof content === "string" && /\p{Cs}/u.test(content)) throw contentRefused(path, "a lone surrogate in it");
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (bytes.length > limit) throw contentRefused(path, `${bytes.length} bytes; the limit is ${limit}`);
  return bytes;
}

function contentRefused(path: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The content for ${showPath(path)} has ${why}.`, {
    details: { path },
    next: ["Write less, or other content. Nothing was changed."],
  });
}
