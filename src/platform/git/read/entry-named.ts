import { lstatSync, type Stats } from "node:fs";
import { errorCode } from "../../host/error-code.ts";
import { bytesOf, type RawName } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";

/** The entry of a name in the work tree, links not followed; undefined where there is none. */
export function entryNamed({ workTree }: GitRunner, name: RawName): Stats | undefined {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${workTree}/`), bytesOf(name)]), { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR" || errorCode(error) === "ENAMETOOLONG") return undefined;
    throw error;
  }
}
