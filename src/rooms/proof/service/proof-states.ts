import { type CriterionProof, readCriterionStates } from "../../../commons/evidence/criterion-states.ts";
import type { RepositoryWork } from "../../../platform/git/git.ts";
import type { ProofTicket } from "../model/ports.ts";

const maxCommits = 1_000;

type Lapse = { state: "unproven"; why: string };
/** The commit that something was shown on, and the contents that it depends on; absent: the complete tree. */
type Bond = { commit: string; tree: string; files?: Record<string, string> | undefined };

/** Where proof is read: a repository and a commit of it. */
export type ProofPlace = { work: RepositoryWork; head: string };

/** The state of each criterion at a commit: proof of files that have changed since counts no more. */
export async function readProofStates(
  ticket: Pick<ProofTicket, "criteria" | "records">,
  findPlace: () => Promise<ProofPlace | undefined>,
  signal: AbortSignal,
  { ciOnly = false }: { ciOnly?: boolean } = {},
): Promise<CriterionProof[]> {
  const recorded = readCriterionStates(ticket.criteria, ticket.records, { ciOnly });
  const isAnyProven = recorded.some(({ checks }) => checks.some(({ state }) => state === "proven"));
  if (!isAnyProven) return recorded;
  const place = await findPlace();
  const lapses = place && new LapseReader(place.work, place.head, signal);
  const states: CriterionProof[] = [];
  for (const criterion of recorded) {
    const checks = [];
    let lapsed: Lapse | undefined;
    for (const check of criterion.checks) {
      const lapse = check.state === "proven" ? await (lapses?.find(check) ?? findUnreadable(check)) : undefined;
      lapsed ??= lapse;
      checks.push({ ...check, ...lapse });
    }
    states.push({ ...criterion, ...(criterion.state === "proven" && lapsed), checks });
  }
  return states;
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
  async find(check: CriterionProof["checks"][number]): Promise<Lapse | undefined> {
    const bond = bondOf(check);
    if (!bond || bond.commit === this.#head) return undefined;
    const changed = await this.#countChanged(bond);
    if (changed === undefined) return undefined;
    const shown = check.check.look ? "Seen" : "Proven";
    const why = `${shown} at ${bond.commit.slice(0, 7)}${await this.#describeAge(bond.commit)}; ${changed} changed.`;
    return { state: "unproven", why };
  }

  async #countChanged({ files, tree }: Bond): Promise<string | undefined> {
    if (files === undefined) {
      const now = await this.#work.commits.treeOf(this.#head, this.#signal);
      return now === tree ? undefined : "the tree";
    }
    const now = await this.#work.commits.blobs(this.#head, Object.keys(files), this.#signal);
    const count = Object.entries(files).filter(([path, id]) => (now.get(path) ?? "") !== id).length;
    if (count === 0) return undefined;
    return `${count} of its ${Object.keys(files).length} files`;
  }

  async #describeAge(commit: string): Promise<string> {
    const { commits } = this.#work;
    if (!(await commits.has(commit, this.#signal))) return ", which is not here";
    if (!(await commits.isInHistory(commit, [this.#head], this.#signal))) return ", which is not merged";
    const { length } = await commits.beyond(this.#head, [commit], maxCommits, this.#signal);
    return length === 1 ? ", 1 commit ago" : `, ${length} commits ago`;
  }
}

/** What was shown on a commit counts for nothing where no commit can be read. */
function findUnreadable(check: CriterionProof["checks"][number]): Lapse | undefined {
  const bond = bondOf(check);
  if (!bond) return undefined;
  const shown = check.check.look ? "Seen" : "Proven";
  return {
    state: "unproven",
    why: `${shown} at ${bond.commit.slice(0, 7)}; the repository has no HEAD that can be read.`,
  };
}

/** Undefined for what is bound to nothing: a look that was recorded outside a repository. */
function bondOf({ check: { look }, result, seen }: CriterionProof["checks"][number]): Bond | undefined {
  if (look) return look.on;
  return result && seen ? { commit: seen.commit, tree: seen.tree, files: result.files } : undefined;
}
