import { dirname, join } from "node:path";
import { realPathOf } from "../../files/real-place.ts";
import { readSmallFile } from "../../files/small-file.ts";
import type { Program } from "./find-git.ts";
import { armedNames } from "./hardening.ts";
import type { RepositoryLocation } from "./locate-repository.ts";

/** A larger file is left to git. */
const maxConfigBytes = 65_536;

/** A file that includes others may name in these what it does not name itself. */
const headings = [...armedNames, "include"].map((name) => `[${name}`);

/**
 * Whether git's configuration could name a program by a name of its own, from plain file reads. Most repositories' cannot, and
 * asking git takes a process for each command. Whatever cannot be read with certainty counts as a yes.
 */
export function mayBeArmed(
  { gitDir, commonDir }: RepositoryLocation,
  { path }: Program,
  environment: Readonly<Record<string, string>>,
): boolean {
  const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_NOSYSTEM } = environment;
  const known = GIT_CONFIG_NOSYSTEM === undefined ? [] : ["GIT_CONFIG_NOSYSTEM"];
  const others = Object.keys(environment).filter((name) => name.startsWith("GIT_CONFIG") && !known.includes(name));
  // Elsewhere, git may have been built to read other files too.
  if (process.platform !== "linux" || HOME === undefined || others.length > 0) return true;
  const files = [
    join(commonDir, "config"),
    join(gitDir, "config.worktree"),
    join(HOME, ".gitconfig"),
    join(XDG_CONFIG_HOME || join(HOME, ".config"), "git", "config"),
    "/etc/gitconfig",
    join(dirname(dirname(path)), "etc", "gitconfig"),
  ];
  return files.some(namesProgram);
}

function namesProgram(file: string): boolean {
  const place = realPathOf(file);
  if (place === undefined) return false;
  const text = readSmallFile(place, maxConfigBytes)?.toLowerCase();
  return text === undefined || headings.some((heading) => text.includes(heading));
}
