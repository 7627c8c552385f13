import { ForgeError } from "../../kernel/errors.ts";
import type { Git } from "../../platform/git/git.ts";
import { findOpenedNetwork } from "../test-runs/project/workbench-file.ts";
import { discoverRunnables } from "./discover-runnables.ts";
import { findTrustPlace } from "./place.ts";
import { isApproved, keepEarlier, type TrustRecord, TrustRecords } from "./records.ts";
import { isPinned, isRefused, type RefusedRunnable } from "./runnable.ts";

export type TrustItem = { id: string; runs: string; sha256: string; status: "trusted" | "changed" | "new" };

/** A project's trust as a person sees it: what would run, and what of it differs from what was allowed. */
export type TrustState = {
  project: string;
  /** Trusted, and nothing that would run was changed or added since. */
  trusted: boolean;
  /** Why the record could not be used; giving trust writes it again. */
  problem: string | undefined;
  since: string | undefined;
  by: string | undefined;
  items: TrustItem[];
  /** Was trusted and is not there any more. */
  gone: string[];
  /** Cannot be trusted, and why. */
  refused: RefusedRunnable[];
};

type TrustEditorOptions = { git: Git; records?: TrustRecords };

/** Shows, gives and revokes trust. For the command line only: nothing that is served to assistants has it. */
export class TrustEditor {
  readonly #git: Git;
  readonly #records: TrustRecords;

  constructor({ git, records = new TrustRecords() }: TrustEditorOptions) {
    this.#git = git;
    this.#records = records;
  }

  async state(root: string, signal: AbortSignal): Promise<TrustState> {
    const place = findTrustPlace(root, this.#records.folder);
    const { record, problem } = await this.#recordOf(place.project);
    const found = await discoverRunnables(place, this.#git, signal);
    const opened = record && findOpenedNetwork(root, record.approved);
    const looked = opened ? [...found, opened] : found;
    const items = looked.filter(isPinned).map(({ id, runs, sha256 }): TrustItem => {
      const isKnown = record !== undefined && isApproved(record, { id, sha256 });
      const status = isKnown ? "trusted" : record?.approved[id] === undefined ? "new" : "changed";
      return { id, runs, sha256, status };
    });
    const present = new Set(looked.map(({ id }) => id));
    return {
      project: place.project,
      trusted: record !== undefined && items.every(({ status }) => status === "trusted"),
      problem,
      since: record?.since,
      by: record?.by,
      items,
      gone: Object.keys(record?.approved ?? {}).filter((id) => !present.has(id)),
      refused: looked.filter(isRefused),
    };
  }

  /** Trusts exactly what was shown: what was changed since needs trust again. */
  async grant({ project, items }: TrustState, by: string): Promise<void> {
    const approved = Object.fromEntries(items.map(({ id, sha256 }) => [id, sha256]));
    const { record: before } = await this.#recordOf(project);
    const earlier = before && keepEarlier(before, approved);
    await this.#records.write({ project, since: new Date().toISOString(), by, approved, ...(earlier && { earlier }) });
  }

  /** Returns whether the project was trusted. */
  async revoke(root: string): Promise<boolean> {
    return this.#records.remove(findTrustPlace(root, this.#records.folder).project);
  }

  async #recordOf(project: string): Promise<{ record?: TrustRecord | undefined; problem?: string }> {
    try {
      return { record: await this.#records.read(project) };
    } catch (error) {
      if (error instanceof ForgeError) return { problem: error.message };
      throw error;
    }
  }
}
