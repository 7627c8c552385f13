import { type Stats, statSync } from "node:fs";
import { ForgeError } from "../../kernel/errors.ts";
import { requirePinned, requirePinnedRepository } from "../files/pinned-folders.ts";
import { childEnvironment } from "../host/environment.ts";
import { errorCode } from "../host/error-code.ts";
import { Repository } from "./read/repository.ts";
import { bareRepository, notARepository } from "./run/errors.ts";
import { findGit } from "./run/find-git.ts";
import type { Trust, TrustedHooks } from "./run/hardening.ts";
import { locateRepository, looksLikeGitDir } from "./run/locate-repository.ts";
import { GitRunner } from "./run/runner.ts";
import { openWork, type RepositoryWork } from "./work.ts";
import { defaultWorkTreesHome } from "./worktrees/work-tree-places.ts";

export type { Repository } from "./read/repository.ts";
export type { RepositoryWork } from "./work.ts";

type Options = {
  /** `trusted` lets a repository's own filters, hooks and settings work; only a person's trust in the project allows it. */
  trust?: Trust;
  /** The environment of git; default: the allow-list. */
  environment?: Record<string, string>;
  /** The folder for work trees; default: `~/.forge/worktrees`. */
  workTreesHome?: string | undefined;
};

/** Reads and changes repositories. */
export class Git {
  readonly #trust: Trust;
  readonly #environment: Record<string, string>;
  readonly #workTreesHome: string | undefined;

  constructor({ trust = "untrusted", environment = childEnvironment(), workTreesHome }: Options = {}) {
    this.#trust = trust;
    this.#environment = environment;
    this.#workTreesHome = workTreesHome;
  }

  /** The repository that a folder is in. Throws a ForgeError that says why if there is none to read. */
  open(path: string): Repository {
    return new Repository(this.#runner(path, this.#trust));
  }

  /** The same; undefined where the folder is in none, or is not there. */
  find(path: string): Repository | undefined {
    return openUnless(
      () => this.open(path),
      ({ code }) => code === "NOT_FOUND",
    );
  }

  /** For callers that do without git: undefined whatever the reason is that the repository cannot be read. */
  tryOpen(path: string): Repository | undefined {
    return openUnless(() => this.open(path));
  }

  /** The same repository, to be changed. `trusted` as in the options; `hooks` are the only ones that then run. */
  work(
    path: string,
    { trusted = this.#trust === "trusted", hooks }: { trusted?: boolean; hooks?: TrustedHooks } = {},
  ): RepositoryWork {
    return openWork(this.#runner(path, trusted ? "trusted" : "untrusted", hooks));
  }

  /** To `work` what `tryOpen` is to `open`. */
  tryWork(path: string): RepositoryWork | undefined {
    return openUnless(() => this.work(path));
  }

  #runner(path: string, trust: Trust, hooks?: TrustedHooks): GitRunner {
    requirePinned(path);
    requireFolder(path);
    const location = locateRepository(path);
    if (!location) throw looksLikeGitDir(path) ? bareRepository(path) : notARepository(path);
    requirePinnedRepository(path, location.workTree);
    const environment = this.#environment;
    const workTreesHome = this.#workTreesHome ?? defaultWorkTreesHome();
    return new GitRunner(location, findGit(environment, location.workTree), {
      environment,
      trust,
      hooks,
      workTreesHome,
    });
  }
}

/** Undefined where it fails for a reason that the caller expects; by default any that a user can be told. */
function openUnless<T>(open: () => T, isExpected: (error: ForgeError) => boolean = () => true): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof ForgeError && isExpected(error)) return undefined;
    throw error;
  }
}

function requireFolder(path: string): void {
  const entry = statOf(path);
  if (!entry)
    throw new ForgeError("NOT_FOUND", `The folder ${path} does not exist.`, {
      details: { path },
      next: ["Pass the absolute path of an existing folder."],
    });
  if (!entry.isDirectory())
    throw new ForgeError("VALIDATION_ERROR", `${path} is not a folder.`, {
      details: { path },
      next: ["Pass the path of the folder it is in."],
    });
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const reason = errorCode(error) ?? "unknown reason";
    if (reason === "ENOTDIR") return undefined;
    if (reason === "EACCES" || reason === "EPERM") throw unreadable("PERMISSION_DENIED", reason);
    throw unreadable("VALIDATION_ERROR", reason);
  }
}

/** Without the path, which may be very long. */
function unreadable(code: "PERMISSION_DENIED" | "VALIDATION_ERROR", reason: string): ForgeError {
  return new ForgeError(code, `The folder at this path cannot be read (${reason}).`, {
    details: { reason },
    next: ["Check the path, and that the user who runs Forge has access to the folder."],
  });
}
