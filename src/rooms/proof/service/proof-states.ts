import { type CriterionProof, readCriterionStates } from "../../../commons/evidence/criterion-states.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { RepositoryWork } from "../../../platform/git/git.ts";
import type { ProofTicket } from "../model/ports.ts";

const maxCommits = 1_000;

type Lapse = { state: "unproven"; why: string };

/** The state of each criterion here and now: proof of files that have changed since counts no more. */
export async function readProofStates(
  ticket: Pick<ProofTicket, "criteria" | "records">,
  work: RepositoryWork | undefined,
  signal: AbortSignal,
): Promise<CriterionProof[]> {
  const recorded = readCriterionStates(ticket.criteria, ticket.records);
  if (!work || !recorded.some(({ state }) => state === "proven")) return recorded;
  const head = await headOf(work, signal);
  if (head === undefined) return recorded;
  const lapses = new LapseReader(work, head, signal);
  const states: CriterionProof[] = [];
  for (const criterion of recorded) {
    const checks = [];
    let lapsed: Lapse | undefined;
    for (const check of criterion.checks) {
      const lapse = check.state === "proven" ? await lapses.find(check) : undefined;
      lapsed ??= lapse;
      checks.push({ ...check, ...lapse });
    }
    states.push({ ...criterion, ...(criterion.state === "proven" && lapsed), checks });
  }
  return states;
}

async function headOf(work: RepositoryWork, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await work.head(signal)).commit;
  } catch (error) {
    if (error instanceof ForgeError && error.code !== "CANCELLED") return undefined;
    throw error;
  }
}

class LapseReader {
  readonly #work: RepositoryWork;
  readonly #head: string;
  readonly #signal: AbortSignal;

  constructor(work: RepositoryWork, head: string, signal: AbortSignal) {
    this.#work = work;
    this.#head = head;
    this.#signal = signal;
  }

  /** Why a proof no longer counts; undefined if it does. */
  async find({ result, seen }: CriterionProof["checks"][number]): Promise<Lapse | undefined> {
    if (!result || !seen || seen.commit === this.#head) return undefined;
    const changed = await this.#countChanged(result.files, seen.tree);
    if (changed === undefined) return undefined;
    const ago = await this.#commitsSince(seen.commit);
    return { state: "unproven", why: `Proven at ${seen.commit.slice(0, 7)}${ago}; ${changed} changed.` };
  }

  async #countChanged(files: Record<string, string> | undefined, tree: string): Promise<string | undefined> {
    if (files === undefined) {
      const now = await this.#work.commits.treeOf(this.#head, this.#signal);
      return now === tree ? undefined : "the tree";
    }
    const now = await this.#work.commits.blobs(this.#head, Object.keys(files), this.#signal);
    const count = Object.entries(files).filter(([path, id]) => (now.get(path) ?? "") !== id).length;
    if (count === 0) return undefined;
    return `${count} of its ${Object.keys(files).length} files`;
  }

  async #commitsSince(commit: string): Promise<string> {
    if (!(await this.#work.commits.has(commit, this.#signal))) return ", which is not here";
    const { length } = await this.#work.commits.beyond(this.#head, [commit], maxCommits, this.#signal);
    return length === 1 ? ", 1 commit ago" : `, ${length} commits ago`;
  }
}
