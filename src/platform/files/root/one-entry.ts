import { type BigIntStats, lstatSync } from "node:fs";
import { errorCode } from "../../host/error-code.ts";
import { isSameFile } from "../entry-stats.ts";

/** Whether two spellings lead to one entry, as some file systems have it; undefined where neither leads to any. */
export function isOneEntry(one: string, other: string): boolean | undefined {
  const [first, second] = [statsAt(one), statsAt(other)];
  if (!first && !second) return undefined;
  return first !== undefined && second !== undefined && isSameFile(first, second);
}

function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR" || errorCode(error) === "ENAMETOOLONG") return undefined;
    throw error;
  }
}
