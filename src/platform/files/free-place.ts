import { readdirSync } from "node:fs";
import { errorCode } from "../host/error-code.ts";

/** Whether nothing is there, or only an empty folder. */
export function isFreePlace(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
