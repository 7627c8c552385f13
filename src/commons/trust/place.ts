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
  const place = locateTrustPlace(root);
  requireOutside(place, recordsFolder);
  return place;
}

/** Before `requireOutside`, nothing that is recorded about the place counts. */
export function locateTrustPlace(root: string): TrustPlace {
  const repository = locateRepository(root);
  return repository
    ? {
        project: repository.mainWorkTree ?? repository.commonDir,
        folders: [
          repository.workTree,
          repository.commonDir,
          ...(repository.mainWorkTree === undefined ? [] : [repository.mainWorkTree]),
        ],
      }
    : placeAt(realPlace(root));
}

function placeAt(folder: string): TrustPlace {
  return { project: folder, folders: [folder] };
}

/** Throws where the place contains what says whether it is trusted. */
export function requireOutside({ project, folders }: TrustPlace, recordsFolder: string): void {
  const records = realPlace(recordsFolder);
  for (const folder of [project, ...folders]) {
    if (isInside(records, folder)) throw containsTrustRecords(folder, recordsFolder);
  }
}
