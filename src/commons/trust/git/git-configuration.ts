import { relative, sep } from "node:path";
import { realPlace } from "../../../platform/files/real-place.ts";
import type { Git } from "../../../platform/git/git.ts";
import { isInside, locateRepository, type RepositoryLocation } from "../../../platform/git/run/locate-repository.ts";
import type { TrustPlace } from "../place.ts";
import type { Runnable } from "../runnable.ts";
import { type GitSetting, isFromRepository, readGitSettings } from "./git-settings.ts";

/**
 * Git's configuration as far as it can be changed by editing the project's files: files of the work trees that it includes.
 * What counts only on some branches or in some work trees cannot be looked at before it counts, so it cannot be trusted.
 */
export async function gitConfiguration(place: TrustPlace, git: Git, signal: AbortSignal): Promise<Runnable[]> {
  const [root] = place.folders;
  const repository = locateRepository(root);
  if (!repository) return [];
  const settings = await readGitSettings(git, root, ".*", { signal });
  const editable = (file: string | undefined) => file !== undefined && editablePlace(repository, file);
  const files = new Map<string, Runnable>();
  for (const { file } of settings) {
    const at = editable(file);
    if (at) files.set(at, { id: `git-config:${showPath(place, at)}`, file: at });
  }
  const conditional = settings.filter(
    (setting) => /^includeif\./i.test(setting.key) && (isFromRepository(setting) || editable(setting.file)),
  );
  return [...files.values(), ...conditional.map(conditionalInclude)];
}

/** Where a file of the configuration is in a work tree, by its name or by where its name leads. */
function editablePlace({ workTree, mainWorkTree, gitDir, commonDir }: RepositoryLocation, file: string) {
  const trees = [workTree, ...(mainWorkTree === undefined ? [] : [mainWorkTree])];
  return [file, realPlace(file)].find(
    (place) => trees.some((tree) => isInside(place, tree)) && ![gitDir, commonDir].some((own) => isInside(place, own)),
  );
}

/** The same from every work tree. */
function showPath({ project }: TrustPlace, file: string): string {
  return isInside(file, project) ? relative(project, file).split(sep).join("/") : file;
}

function conditionalInclude({ key }: GitSetting): Runnable {
  return { id: `git-config:${key}`, unusable: "applies only to some branches or folders (includeIf)" };
}
