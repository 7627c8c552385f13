import type { Check, CheckResult, NewVerification } from "../../../commons/evidence/checks.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { isSignedBy } from "../../../kernel/principal.ts";
import { noChecks, noCommitYet, unknownCommit } from "../model/errors.ts";
import type { ProofTicket, ProofTickets } from "../model/ports.ts";
import { proofBaseOf } from "../model/proof-base.ts";
import {
  ChangeProver,
  type ProofSubject,
  type ProveOptions,
  type ProverDeps,
  type VerifyTimes,
} from "./change-prover.ts";
import type { CommandConsent } from "./command-consent.ts";
import { findTicketHead, isInWork } from "./ticket-head.ts";

export type VerifyRequest = ProveOptions & {
  /** The commit to prove; default: the tip of the ticket's latest unmerged branch, else HEAD. */
  commit?: string | undefined;
  /** The commit before the change; default: where the ticket's work started. */
  base?: string | undefined;
};

export type VerifyOutcome = {
  ticket: ProofTicket;
  verification: NewVerification;
  timing: VerifyTimes;
  warnings: string[];
};

type VerifierDeps = ProverDeps & {
  tickets: () => Promise<ProofTickets>;
  consent: CommandConsent;
  machine: string;
  /** Throws if the team's server cannot record what checks show; asked before they run. */
  requireServer(call: Call): Promise<void>;
};

/** Proves the criteria of a ticket: its checks on a commit, and on the commit before the change. */
export class TicketVerifier {
  readonly #deps: VerifierDeps;
  readonly #prover: ChangeProver;

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
    this.#prover = new ChangeProver(deps);
  }

  async verify(call: Call, id: string, request: VerifyRequest): Promise<VerifyOutcome> {
    const tickets = await this.#deps.tickets();
    const subject = await this.#findSubject(call, await tickets.get(id, call), request);
    const { ticket, head, base } = subject;
    await this.#deps.requireServer(call);
    await tickets.requireVerify(call, ticket.id, head);
    await this.#deps.consent.requireVerify(call, ticket.id, subject.checks);
    const timing: VerifyTimes = { treeMs: 0, headMs: 0, baseMs: 0 };
    const { results, rules } = await this.#prover.run(call, subject, request, timing);
    const work = this.#deps.git.work(this.#deps.projectRoot);
    const verification: NewVerification = {
      commit: head,
      tree: await work.commits.treeOf(head, call.signal),
      ...(base !== undefined && { base }),
      clean: true,
      results,
      ...(rules.length > 0 && { rules }),
      machine: this.#deps.machine,
    };
    // All of it at once: nothing is proven by half a run.
    const after = await tickets.record(call, ticket.id, { kind: "verification", verification });
    return { ticket: after, verification, timing, warnings: await this.#warnings(call, subject) };
  }

  /** The checks on a commit and on its base, for a ticket that need not be here. */
  async prove(
    call: Call,
    { checks, head, base }: { checks: Check[]; head: string; base: string | undefined },
  ): Promise<CheckResult[]> {
    await this.#deps.consent.requireRerun(call, checks);
    const work = this.#deps.git.work(this.#deps.projectRoot);
    if (!(await isInWork(work, head, [], call.signal)))
      await this.#deps.consent.requireOtherCommit(call, "a receipt", head);
    const hasBase = base !== undefined && (await work.commits.has(base, call.signal));
    const changed = hasBase ? await work.commits.changedNames(base, head, call.signal) : [];
    const ticket = { id: "", title: "", status: "", criteria: [], fileChanges: [], revision: 0, records: {} };
    const subject = { ticket, checks, head, base: hasBase ? base : undefined, changed };
    return (await this.#prover.run(call, subject, {}, { treeMs: 0, headMs: 0, baseMs: 0 })).results;
  }

  async #findSubject(call: Call, ticket: ProofTicket, request: VerifyRequest): Promise<ProofSubject> {
    const { signal } = call;
    const work = this.#deps.git.work(this.#deps.projectRoot);
    const checks = (ticket.records.checks ?? []).filter(({ how }) => how.type !== "look");
    if (checks.length === 0) throw noChecks(ticket.id);
    const head =
      request.commit === undefined
        ? await findTicketHead(work, ticket.records.work, signal)
        : await this.#requireCommit(request.commit, signal);
    if (head === undefined) throw noCommitYet();
    const own = ticket.records.work?.filter(({ by }) => isSignedBy(by, call.principal));
    if (!(await isInWork(work, head, own, signal))) await this.#deps.consent.requireOtherCommit(call, ticket.id, head);
    const base = await this.#findBase(ticket, request, { head, signal });
    const changed = base === undefined ? [] : await work.commits.changedNames(base, head, signal);
    return { ticket, checks, head, base, changed };
  }

  async #requireCommit(given: string, signal: AbortSignal): Promise<string> {
    const commit = await this.#deps.git.open(this.#deps.projectRoot).resolveCommit(given, signal);
    if (commit === undefined) throw unknownCommit(given);
    return commit;
  }

  async #findBase(
    ticket: ProofTicket,
    { base }: VerifyRequest,
    { head, signal }: { head: string; signal: AbortSignal },
  ): Promise<string | undefined> {
    if (base !== undefined) return this.#requireCommit(base, signal);
    const first = proofBaseOf(ticket);
    const { commits } = this.#deps.git.work(this.#deps.projectRoot);
    if (first === undefined || !(await commits.has(first, signal))) return undefined;
    // Its code is run. On a server others name the commit, which may be one that was fetched and that nobody has merged.
    if (!(await this.#deps.isShared())) return first;
    return (await commits.isInHistory(first, [head], signal)) ? first : undefined;
  }

  async #warnings({ signal }: Call, { base }: ProofSubject): Promise<string[]> {
    const work = this.#deps.git.work(this.#deps.projectRoot);
    const { commit } = await work.head(signal);
    const { total } =
      commit === undefined ? { total: 0 } : await work.changes.list({ since: commit, limit: 1 }, signal);
    return [
      ...(total > 0 ? ["Uncommitted changes were not verified."] : []),
      ...(base === undefined
        ? ["Where the work started is unknown, so the checks were not run without the change."]
        : []),
    ];
  }
}
