import { readdirSync } from "node:fs";
import { errorCode } from "../host/error-code.ts";
import { entryAt } from "./entry-at.ts";

/** Whether nothing is there, or only an empty folder. A link is something: a project may bring one that leads elsewhere. */
export function isFreePlace(path: string): boolean {
  if (entryAt(path)?.isSymbolicLink()) return false;
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
