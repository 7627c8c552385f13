import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import {
  type ProofPolicy,
  readProjectFile,
  readTrackedPolicy,
  strictest,
  trackedProjectFile,
} from "../../../commons/project-file.ts";
import type { Lazy } from "../../../kernel/definitions/room.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Git, RepositoryWork } from "../../../platform/git/git.ts";
import type { ProofRules, ProofTicket, ProofTickets } from "../model/ports.ts";
import type { ReceiptKeys } from "../receipt/keys.ts";
import type { Receipts } from "../receipt/receipts.ts";
import type { RemoteTeamPolicy } from "../remote/team-policy.ts";
import { judgeCompletion } from "./proof-policy.ts";
import { readProofStates } from "./proof-states.ts";
import type { TicketVerifier } from "./ticket-verifier.ts";

type ProofOptions = {
  git: Git;
  projectRoot: string;
  tickets: Lazy<ProofTickets>;
  rules: Lazy<ProofRules | undefined>;
  verifier: Lazy<TicketVerifier>;
};

/** What is proven of a project's tickets. */
export class Proof {
  readonly projectRoot: string;
  readonly git: Git;
  readonly tickets: Lazy<ProofTickets>;
  readonly rules: Lazy<ProofRules | undefined>;
  readonly verifier: Lazy<TicketVerifier>;

  constructor({ git, projectRoot, tickets, rules, verifier }: ProofOptions) {
    this.git = git;
    this.projectRoot = projectRoot;
    this.tickets = tickets;
    this.rules = rules;
    this.verifier = verifier;
  }

  /** Each criterion's state here and now. */
  states(ticket: Pick<ProofTicket, "criteria" | "records">, signal: AbortSignal): Promise<CriterionProof[]> {
    return readProofStates(ticket, this.#repository(), signal);
  }

  /** Whether the project's policy lets a ticket be completed, and how it is marked. */
  async judge(ticket: Pick<ProofTicket, "id" | "criteria" | "records">, signal: AbortSignal) {
    const { proof: here } = readProjectFile(this.projectRoot);
    const proof = strictest([here, await this.#policyBefore(ticket, signal)]) ?? here;
    return judgeCompletion(ticket.id, proof, proof === "off" ? [] : await this.states(ticket, signal));
  }

  /** The tracked policy where the ticket's work started: the work itself cannot lower it. */
  async #policyBefore(
    { records }: Pick<ProofTicket, "records">,
    signal: AbortSignal,
  ): Promise<ProofPolicy | undefined> {
    if (!this.#repository()) return undefined;
    const repository = this.git.open(this.projectRoot);
    const base = records.work?.find(({ status }) => status !== "cancelled")?.base ?? "HEAD";
    const options = { signal };
    const { code, stdout } = await repository.run(
      "show",
      ["--end-of-options", `${base}:${trackedProjectFile}`],
      options,
    );
    return code === 0 ? readTrackedPolicy(stdout.toString()) : undefined;
  }

  /** Tickets work without git; proof then rests on what was recorded. */
  #repository(): RepositoryWork | undefined {
    try {
      return this.git.work(this.projectRoot);
    } catch (error) {
      if (error instanceof ForgeError) return undefined;
      throw error;
    }
  }
}

/** What the room's tools and commands run on. */
export type ProofServices = {
  proof: Proof;
  receipts: Lazy<Receipts>;
  keys: Lazy<ReceiptKeys>;
  /** The policy of the user's team; throws without a team. */
  team: Lazy<RemoteTeamPolicy>;
};
