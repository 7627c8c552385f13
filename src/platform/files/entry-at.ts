import { lstatSync, type Stats } from "node:fs";
import { errorCode } from "../host/error-code.ts";

/** No path like these leads anywhere: through a file, through links that go round, with a name that no system takes. */
const nowhere = ["ENOTDIR", "ELOOP", "ENAMETOOLONG"];

/** The entry itself, links not followed; undefined where there is none. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (nowhere.includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}
