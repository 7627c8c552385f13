import { visible } from "../../../../kernel/text/visible.ts";
import { joinNames } from "../join-names.ts";

const maxLookAlikes = 10;

export function describeLeftOut(paths: readonly string[]): string[] {
  return paths.length > 0 ? [`Not committed, and unchanged in the folder: ${joinNames(paths)}.`] : [];
}

/** On some systems they are one file, and a person may take one for the other. */
export function describeLookAlikes(pairs: readonly [string, string][]): string[] {
  return pairs
    .slice(0, maxLookAlikes)
    .map(
      ([added, like]) => `${visible(added)} looks like ${visible(like)} but is another file. Check that it is meant.`,
    );
}
