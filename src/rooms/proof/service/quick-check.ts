import type { Check } from "../../../commons/evidence/checks.ts";
import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { noChecks } from "../model/errors.ts";
import type { ProofTicket } from "../model/ports.ts";
import type { CheckRunner, Ran } from "./check-runner.ts";
import type { CommandConsent } from "./command-consent.ts";
import type { RuleChecks } from "./rule-checks.ts";

type QuickDeps = {
  projectRoot: string;
  runner: CheckRunner;
  rules: RuleChecks;
  consent: CommandConsent;
  redactor: Redactor;
};

/** A ticket's checks in the project's folder as it is, for who is still at work. They prove nothing, and nothing is recorded. */
export class QuickCheck {
  readonly #deps: QuickDeps;

  constructor(deps: QuickDeps) {
    this.#deps = deps;
  }

  async run(
    call: Call,
    ticket: ProofTicket,
    states: readonly CriterionProof[],
    deadlineMs: number | undefined,
  ): Promise<{ criteria: CriterionProof[]; passed: boolean; ms: number }> {
    const checks = (ticket.records.checks ?? []).filter(({ how }) => how.type !== "look");
    if (checks.length === 0) throw noChecks(ticket.id);
    await this.#deps.consent.requireVerify(call, ticket.id, checks);
    const began = performance.now();
    const ran = await this.#runAll(call, checks, deadlineMs);
    const criteria = states.map((criterion) => this.#judge(criterion, ran));
    const passed = checks.every(({ id }) => ran.get(id)?.outcome === "passed");
    return { criteria, passed, ms: Math.round(performance.now() - began) };
  }

  async #runAll(call: Call, checks: readonly Check[], deadlineMs: number | undefined): Promise<Map<string, Ran>> {
    const { projectRoot: root, runner, rules } = this.#deps;
    const { signal } = call;
    const report = (message: string) => call.report({ progress: 0.5, total: 1, message });
    // The user's own folder is not put back: what a check changes there stays, as if they had run it themselves.
    const ran = await runner.run(checks, { root, signal, deadlineMs, report, renew: async () => undefined });
    const own = await rules.run(call, { root, since: undefined }, checks);
    return new Map([...ran, ...own.ran]);
  }

  #judge(criterion: CriterionProof, ran: ReadonlyMap<string, Ran>): CriterionProof {
    const checks = criterion.checks.map((state): CriterionProof["checks"][number] => {
      const found = ran.get(state.check.id);
      if (!found) return state;
      const why = this.#deps.redactor.text(found.why);
      const { check } = state;
      return found.outcome === "passed"
        ? { check, state: "unproven", why: `${why} Here only: commit it to prove it.` }
        : { check, state: found.outcome === "failed" || found.outcome === "error" ? "failed" : "unproven", why };
    });
    const first = checks.find(({ state }) => state === "failed") ?? checks.find(({ state }) => state === "unproven");
    return { ...criterion, ...(first && { state: first.state, why: first.why }), checks };
  }
}
