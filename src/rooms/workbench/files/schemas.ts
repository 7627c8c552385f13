import * as z from "zod";
import { parsePath } from "../../../platform/files/root/relative-path.ts";
import { limits } from "../model/limits.ts";
import { folderPath } from "./errors.ts";

const maxAboutLength = 300;

export const filePath = z.string().min(1).max(limits.path).describe("Relative to the root");

export const sha256 = z
  .string()
  .max(100)
  .refine((text) => /^[0-9a-f]{64}$/i.test(text), "must be a SHA-256 in hexadecimal");

export const expectedSha256 = sha256.optional().describe("Fail if it has changed since");

export const purpose = z.string().max(limits.name).optional();

export const encoding = z.enum(["utf8", "base64"]);

/** Rarely needed: the error for a binary file names it. */
export const rareEncoding = encoding.optional().meta({ unadvertised: true });

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

/** The normal form of a file's path; throws for a folder.  */
export function normalizeFilePath(given: string): string {
  const path = normalizePath(given);
  if (path !== "" && !/\/\.?$/.test(given)) return path;
  throw folderPath(given, path === "");
}

/** The normal form of a path; throws if it is not valid. */
export function normalizePath(given: string): string {
  return parsePath(given).join("/");
}
