import { lstatSync, type Stats } from "node:fs";
import { errorCode } from "../host/error-code.ts";

/** The entry itself, links not followed; undefined where there is none, also where the path leads through a file. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
