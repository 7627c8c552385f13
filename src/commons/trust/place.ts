import { realPlace } from "../../platform/files/real-place.ts";
import { isInside, locateRepository } from "../../platform/git/run/locate-repository.ts";
import { containsTrustRecords } from "./errors.ts";

export type TrustPlace = {
  /** What trust is bound to: the real path of the project, and for a linked work tree that of its repository. */
  project: string;
  /** Where its files may be: the work tree first, then what all its work trees share. */
  folders: readonly [string, ...string[]];
};

/**
 * A linked work tree has its repository's trust, where the repository names it (`locateRepository` refuses any other); what is
 * in it must still be what was trusted, byte for byte.
 */
export function findTrustPlace(root: string, recordsFolder: string): TrustPlace {
  const repository = locateRepository(root);
  const place: TrustPlace = repository
    ? {
        project: repository.mainWorkTree ?? repository.commonDir,
        folders: [
          repository.workTree,
          repository.commonDir,
          ...(repository.mainWorkTree === undefined ? [] : [repository.mainWorkTree]),
        ],
      }
    : { project: realPlace(root), folders: [realPlace(root)] };
  for (const folder of [place.project, ...place.folders]) {
    if (isInside(realPlace(recordsFolder), folder)) throw containsTrustRecords(folder, recordsFolder);
  }
  return place;
}
