import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { parsePath, shownPath } from "../../../platform/files/root/relative-path.ts";
import { limits } from "../model/limits.ts";

const maxAboutLength = 300;

/** Names, hashes and counts that the file tools share on the wire. */
export const filePath = z
  .string()
  .min(1)
  .max(limits.path)
  .describe("From the root of the execution, with forward slashes: src/main.ts");

export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .max(64);

export const expectedSha256 = sha256
  .optional()
  .describe("From forge_read_file: refused where the file has changed since.");

export const purpose = z
  .string()
  .max(limits.name)
  .optional()
  .describe("One line on what the change is for; kept in the execution's timeline.");

export const encoding = z.enum(["utf8", "base64"]);

const warnings = z.array(z.string().max(limits.line)).max(20).optional();

const count = z.number().int().min(0);

export const writtenFile = z.object({
  status: z.literal("success"),
  file_path: z.string().max(limits.path),
  action: z.enum(["created", "modified", "unchanged"]),
  lines_added: count,
  lines_removed: count,
  sha256,
  git_status: z.enum(["new file", "modified", "unchanged"]),
  execution_id: z.string().max(limits.id),
  warnings,
});
export type WrittenFile = z.output<typeof writtenFile>;

export function aboutFile({ file_path }: { file_path: string }): string[] {
  return [`file:${file_path}`.slice(0, maxAboutLength)];
}

/** The one spelling of a file's path; throws for that of a folder too. */
export function normalizeFilePath(given: string): string {
  const path = normalizePath(given);
  if (path !== "" && !/\/\.?$/.test(given)) return path;
  throw new ForgeError("VALIDATION_ERROR", `The path ${shownPath(given)} names a folder, and a file was expected.`, {
    details: { path: given },
    next: [path === "" ? "Name a file in it: src/main.ts." : `Leave out the slash at the end, or name a file in it.`],
  });
}

/** The one spelling of a path; throws for one that is none. */
export function normalizePath(given: string): string {
  return parsePath(given).join("/");
}
