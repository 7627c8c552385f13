import { realPlace } from "../../platform/files/real-place.ts";
import { findOpenedNetwork } from "../test-runs/project/workbench-file.ts";
import { cannotBeTrusted, changedSinceTrusted, notTrusted } from "./errors.ts";
import { findTrustPlace } from "./place.ts";
import { isApproved, isOfGit, TrustRecords } from "./records.ts";
import { isPinned, isRefused, type PinnedRunnable, pinRunnable, type Runnable } from "./runnable.ts";

/**
 * Whether a project's code may run. It reads what a person has allowed and never changes it: trust is given in
 * `trust-desk.ts`, which only the command line reaches.
 */
export class Trust {
  readonly #records: TrustRecords;

  constructor(records = new TrustRecords()) {
    this.#records = records;
  }

  /**
   * Throws TRUST_REQUIRED unless a person has trusted every one of these as it is now. Files are those of the folder `root`, also
   * where that is not the project's own. Returns what was checked: run these bytes and words, not what is in the project by then.
   */
  async require(root: string, runnables: readonly Runnable[]): Promise<PinnedRunnable[]> {
    const { project, folders } = findTrustPlace(root, this.#records.folder);
    const record = await this.#records.read(project);
    if (!record)
      throw notTrusted(
        project,
        runnables.map(({ id }) => id),
      );
    const looked = runnables.map((runnable) => pinRunnable(runnable, [realPlace(root), ...folders]));
    const refused = looked.filter(isRefused);
    if (refused.length > 0) throw cannotBeTrusted(project, refused);
    const pinned = looked.filter(isPinned);
    const opened = runnables.some(({ id }) => !isOfGit(id)) && findOpenedNetwork(root, record.approved);
    const changed = [...pinned, ...(opened ? [opened] : [])].filter((one) => !isApproved(record, one));
    if (changed.length > 0)
      throw changedSinceTrusted(
        project,
        record.since,
        Object.fromEntries(changed.map(({ id, sha256 }) => [id, sha256])),
      );
    return pinned;
  }

  /**
   * Those of these that a person trusted in another form than they have now, and, of the same kinds, what was trusted and is gone.
   * What nobody ever trusted is not among them.
   */
  async findChanged(root: string, runnables: readonly Runnable[], kind: string): Promise<string[]> {
    const { project, folders } = findTrustPlace(root, this.#records.folder);
    const record = await this.#records.read(project);
    if (!record) return [];
    const looked = runnables.map((runnable) => pinRunnable(runnable, [realPlace(root), ...folders]));
    const present = new Map(looked.map((one) => [one.id, isPinned(one) ? one.sha256 : undefined]));
    return Object.entries(record.approved)
      .filter(([id, sha256]) => id.startsWith(kind) && present.get(id) !== sha256)
      .map(([id]) => id);
  }
}
