import { ForgeError } from "../../kernel/errors.ts";
import { placeOf } from "./place.ts";
import { TrustRecords } from "./records.ts";
import { isPinned, isRefused, type Pinned, pin, type Refused, type Runnable } from "./runnable.ts";

/**
 * Whether a project's code may run. Looks at what a person has allowed and never changes it: what gives trust is in
 * `trust-desk.ts`, which only the command line reaches.
 */
export class Trust {
  readonly #records: TrustRecords;

  constructor(records = new TrustRecords()) {
    this.#records = records;
  }

  /**
   * Throws TRUST_REQUIRED unless a person has trusted every one of these, as it is now. Returns what was looked at: for the
   * check to hold, run these bytes and words, not what is in the project by then.
   */
  async require(root: string, runnables: readonly Runnable[]): Promise<Pinned[]> {
    const { project, folders } = placeOf(root, this.#records.folder);
    const record = await this.#records.read(project);
    if (!record) throw notTrusted(project, runnables);
    const looked = runnables.map((runnable) => pin(runnable, folders));
    const refused = looked.filter(isRefused);
    if (refused.length > 0) throw unusable(project, refused);
    const pinned = looked.filter(isPinned);
    const changed = pinned.filter(({ id, sha256 }) => record.approved[id] !== sha256);
    if (changed.length > 0) throw changedSince(project, record.since, changed);
    return pinned;
  }
}

const howToTrust = "A person can look at it and allow it: `forge trust` in a terminal, in the project's folder.";

function notTrusted(project: string, runnables: readonly Runnable[]): ForgeError {
  const ids = runnables.map(({ id }) => id);
  return new ForgeError("TRUST_REQUIRED", `${project} is not trusted, so ${list(ids)} was not run.`, {
    details: { project, missing: ids },
    next: [howToTrust],
  });
}

function changedSince(project: string, since: string, changed: Pinned[]): ForgeError {
  const ids = changed.map(({ id }) => id);
  return new ForgeError(
    "TRUST_REQUIRED",
    `${list(ids)} is not what was trusted in ${project} on ${since.slice(0, 10)}: it was changed or added, so it was not run.`,
    {
      details: { project, missing: ids, sha256: Object.fromEntries(changed.map(({ id, sha256 }) => [id, sha256])) },
      next: ["`forge status` shows what differs.", howToTrust],
    },
  );
}

function unusable(project: string, refused: Refused[]): ForgeError {
  const [{ id, why }] = [refused[0] ?? { id: "", why: "" }];
  return new ForgeError("TRUST_REQUIRED", `${id} ${why}, so it was not run and cannot be trusted.`, {
    details: { project, missing: refused.map((item) => item.id) },
    next: [
      id.startsWith("git-config:")
        ? "A person takes it out of git's configuration (`git config --list --show-origin` says where it is), then runs `forge trust`."
        : "Put a regular file inside the project in its place, then run `forge trust`.",
    ],
  });
}

function list(ids: string[]): string {
  const shown = ids.slice(0, 5).join(", ");
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}
