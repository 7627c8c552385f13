import { ForgeError } from "../../kernel/errors.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { isInside, locateRepository } from "../../platform/git/run/locate.ts";

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
export function placeOf(root: string, recordsFolder: string): TrustPlace {
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
    if (isInside(realPlace(recordsFolder), folder)) throw holdsTheRecords(folder, recordsFolder);
  }
  return place;
}

/** Somebody's home as a repository: whatever is checked out there could say what is trusted. */
function holdsTheRecords(project: string, recordsFolder: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${project} contains ${recordsFolder}, where trust is kept, so it cannot be trusted itself.`,
    { details: { project }, next: ["Work in a folder below it that is a project of its own."] },
  );
}
