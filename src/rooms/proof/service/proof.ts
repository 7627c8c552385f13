import type { LookedAt, Verification } from "../../../commons/evidence/checks.ts";
import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import {
  type ProofPolicy,
  readProjectFile,
  readTrackedPolicy,
  strictest,
  trackedProjectFile,
} from "../../../commons/project-file.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Lazy } from "../../../kernel/definitions/room.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { Git, RepositoryWork } from "../../../platform/git/git.ts";
import { isOwnRun } from "../model/is-own-run.ts";
import type { ProofRules, ProofTicket, ProofTickets } from "../model/ports.ts";
import { proofBaseOf } from "../model/proof-base.ts";
import type { ReceiptKeys } from "../receipt/keys.ts";
import type { Receipts } from "../receipt/receipts.ts";
import type { RemoteTeamPolicy } from "../remote/team-policy.ts";
import type { CommandConsent } from "./command-consent.ts";
import { judgeCompletion } from "./proof-policy.ts";
import { type ProofPlace, readProofStates } from "./proof-states.ts";
import type { QuickCheck } from "./quick-check.ts";
import { findTicketHead, tryFindHead } from "./ticket-head.ts";
import type { TicketVerifier } from "./ticket-verifier.ts";

const maxFiles = 500;

type ProofOptions = {
  git: Git;
  projectRoot: string;
  tickets: Lazy<ProofTickets>;
  rules: Lazy<ProofRules | undefined>;
  verifier: Lazy<TicketVerifier>;
  quick: Lazy<QuickCheck>;
  consent: Lazy<CommandConsent>;
  isShared: Lazy<boolean>;
};

/** What is proven of a project's tickets. */
export class Proof {
  readonly projectRoot: string;
  readonly git: Git;
  readonly tickets: Lazy<ProofTickets>;
  readonly rules: Lazy<ProofRules | undefined>;
  readonly verifier: Lazy<TicketVerifier>;
  readonly quick: Lazy<QuickCheck>;
  readonly consent: Lazy<CommandConsent>;
  /** Whether the tickets are on a team's server: what it says was run here is only what some client has reported. */
  readonly isShared: Lazy<boolean>;

  constructor({ git, projectRoot, tickets, rules, verifier, quick, consent, isShared }: ProofOptions) {
    this.git = git;
    this.projectRoot = projectRoot;
    this.tickets = tickets;
    this.rules = rules;
    this.verifier = verifier;
    this.quick = quick;
    this.consent = consent;
    this.isShared = isShared;
  }

  /** Each criterion's state here and now, where the ticket's work is, or at a commit. */
  states(
    ticket: Pick<ProofTicket, "criteria" | "records">,
    signal: AbortSignal,
    { commit, ciOnly = false }: { commit?: string | undefined; ciOnly?: boolean } = {},
  ): Promise<CriterionProof[]> {
    const findHead = async (work: RepositoryWork) => {
      if (commit === undefined) return findTicketHead(work, ticket.records.work, signal);
      return (await work.commits.has(commit, signal)) ? commit : undefined;
    };
    return readProofStates(ticket, () => this.#place(findHead), signal, { ciOnly });
  }

  /** Tells what Forge ran here for this user from what somebody has only reported. */
  async ranHere({
    principal,
  }: Pick<Call, "principal">): Promise<(seen: Pick<Verification, "by" | "machine">) => boolean> {
    const isShared = await this.isShared();
    return (seen) => !isShared && isOwnRun(seen, principal);
  }

  /** What a person looks at now: the commit, and the files that the ticket names and changed. */
  async readLookedAt(ticket: ProofTicket, signal: AbortSignal): Promise<LookedAt | undefined> {
    const place = await this.#place((work) => findTicketHead(work, ticket.records.work, signal));
    if (!place) return undefined;
    const { commits } = place.work;
    const base = proofBaseOf(ticket);
    const isKnown = base !== undefined && (await commits.has(base, signal));
    const changed = isKnown ? await commits.changedNames(base, place.head, signal) : [];
    const paths = [...new Set([...ticket.fileChanges.map(({ path }) => path), ...changed])];
    const tree = await commits.treeOf(place.head, signal);
    // More than can be listed: all of them are in the tree.
    if (paths.length === 0 || paths.length > maxFiles) return { commit: place.head, tree };
    const ids = await commits.blobs(place.head, paths, signal);
    const files = Object.fromEntries(paths.map((path) => [path, ids.get(path) ?? ""]));
    return { commit: place.head, tree, files };
  }

  /** Whether the project's policy lets a ticket be completed, and how it is marked. */
  async judge(ticket: Pick<ProofTicket, "id" | "criteria" | "records">, signal: AbortSignal) {
    const { proof: here } = readProjectFile(this.projectRoot);
    const proof = strictest([here, await this.#policyBefore(ticket, signal)]) ?? here;
    if (proof === "off") return judgeCompletion(ticket.id, proof, []);
    // What is completed is what HEAD contains, not what waits on a branch.
    const findPlace = () => this.#place(async (work) => (await work.head(signal)).commit);
    return judgeCompletion(ticket.id, proof, await readProofStates(ticket, findPlace, signal));
  }

  /** Undefined without a repository, or a commit in it, that can be read. */
  async #place(find: (work: RepositoryWork) => Promise<string | undefined>): Promise<ProofPlace | undefined> {
    const work = this.git.tryWork(this.projectRoot);
    const head = work && (await tryFindHead(() => find(work)));
    return head === undefined || !work ? undefined : { work, head };
  }

  /**
   * The tracked policy where the ticket's work started: the work itself cannot lower it, nor can anyone by putting the repository
   * aside. What that commit said is then not known, so it is taken to be the strictest.
   */
  async #policyBefore(
    { records }: Pick<ProofTicket, "records">,
    signal: AbortSignal,
  ): Promise<ProofPolicy | undefined> {
    const base = proofBaseOf({ records });
    if (
      base !== undefined &&
      !(await this.#place(async ({ commits }) => ((await commits.has(base, signal)) ? base : undefined)))
    )
      return "required";
    const repository = this.git.tryOpen(this.projectRoot);
    if (!repository) return undefined;
    const text = await repository.textAt(base ?? "HEAD", trackedProjectFile, signal);
    return text === undefined ? undefined : readTrackedPolicy(text);
  }
}

/** What the room's tools and commands run on. */
export type ProofServices = {
  proof: Proof;
  receipts: Lazy<Receipts>;
  keys: Lazy<ReceiptKeys>;
  /** The policy of the user's team; throws without a team. */
  team: Lazy<RemoteTeamPolicy>;
  redactor: Pick<Redactor, "text">;
};
