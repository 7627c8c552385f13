import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../files/entry-at.ts";
import { realPlace } from "../../files/real-place.ts";
import { ensurePrivateFolder } from "../../files/write/private-folder.ts";
import { isOwnedByUser } from "../../host/permissions.ts";
import { userPath } from "../../host/user-folder.ts";
import { makeStateFolder, notOurs, wrongKind } from "../../state/state-folder.ts";
import type { RepositoryLocation } from "../run/locate-repository.ts";
import type { GitRunner } from "../run/runner.ts";

/** The folders that Forge's work trees of one repository are in. */
export type WorkTreePlaces = {
  /** Outside the project: nothing in a work tree there can resolve to the project's own files. */
  apart: string;
  /** `.forge/worktrees` of the main work tree, for assistants that can reach no other folder. */
  inProject: string;
  /** Where they are without a setting: what is in there already stays there. */
  byDefault: string;
};

const maxNameLength = 40;

export function defaultWorkTreesHome(): string {
  return userPath("worktrees");
}

export function findWorkTreePlaces({ location, workTreesHome }: GitRunner): WorkTreePlaces {
  const name = createProjectName(location);
  return {
    apart: join(realPlace(workTreesHome), name),
    inProject: join(location.mainWorkTree ?? location.workTree, ".forge", "worktrees"),
    byDefault: join(realPlace(defaultWorkTreesHome()), name),
  };
}

/** Whether a folder has a name that Forge gives to work trees of this repository; nothing about what is there. */
export function isWorkTreePlace(runner: GitRunner, folder: string): boolean {
  const { apart, inProject, byDefault } = findWorkTreePlaces(runner);
  const name = basename(folder);
  const home = [apart, inProject, byDefault].find((place) => place === dirname(folder));
  return home !== undefined && folder === join(home, name) && !/^[-.]|\p{Cc}/u.test(name);
}

export function requireWorkTreePlace(runner: GitRunner, folder: string): void {
  if (isWorkTreePlace(runner, folder)) return;
  const { apart, inProject } = findWorkTreePlaces(runner);
  throw new ForgeError("VALIDATION_ERROR", `${folder} is not a valid place for a work tree.`, {
    details: { folder, expected: `a folder directly in ${apart} or ${inProject}` },
    next: [`Use a folder directly in ${apart} or ${inProject}.`],
  });
}

/** The folder for a new work tree: private, the user's own, and no link to elsewhere; in the project also ignored by git. */
export function makeWorkTreesFolder(runner: GitRunner, folder: string): void {
  const home = dirname(folder);
  if (home === findWorkTreePlaces(runner).inProject) makeStateFolder(dirname(home));
  else mkdirSync(dirname(home), { recursive: true, mode: 0o700 });
  ensurePrivateFolder(home);
  if (entryAt(home)?.isDirectory() !== true) throw wrongKind(home, "folder");
  if (!isOwnedByUser(home)) throw notOurs(home);
}

/** Readable, and different for two projects of one name. */
function createProjectName({ mainWorkTree, commonDir }: RepositoryLocation): string {
  const folder = mainWorkTree ?? commonDir;
  const shown = basename(folder)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+/, "");
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 8);
  return `${shown.slice(0, maxNameLength) || "project"}-${hash}`;
}
