import type { Check } from "../../../commons/evidence/checks.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Lazy } from "../../../kernel/definitions/room.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { changedFiles } from "../model/errors.ts";
import type { ProofRules, ProvenRule } from "../model/ports.ts";
import type { Ran } from "./check-runner.ts";

type RulePlace = {
  root: string;
  since: string | undefined;
  /** Restores the folder after a command has changed it. */
  renew?: () => Promise<void>;
};

/** Checks that are invariants of the project: all rules are measured at once, and each check is one of them. */
export class RuleChecks {
  readonly #rules: Lazy<ProofRules | undefined>;

  readonly #treeHash: (root: string, signal: AbortSignal) => Promise<string | undefined>;

  constructor(
    rules: Lazy<ProofRules | undefined>,
    treeHash: (root: string, signal: AbortSignal) => Promise<string | undefined>,
  ) {
    this.#rules = rules;
    this.#treeHash = treeHash;
  }

  async run(
    { signal }: Pick<Call, "signal">,
    { root, since, renew }: RulePlace,
    checks: readonly Check[],
  ): Promise<{ rules: ProvenRule[]; ran: Map<string, Ran> }> {
    const asked = checks.flatMap(({ id, how }) => (how.type === "invariant" ? [{ id, name: how.name }] : []));
    const began = performance.now();
    const order = { since, asked: asked.map(({ name }) => name) };
    const hash = () => (asked.length > 0 ? this.#treeHash(root, signal) : undefined);
    const before = await hash();
    const measured = await this.#check(root, order, { signal, report: () => undefined });
    // A command that changes the files it measures says nothing about them.
    const isChanged = before !== (await hash());
    if (isChanged) await renew?.();
    const rules = isChanged ? changedFiles() : measured;
    const ms = Math.round(performance.now() - began);
    const ran = asked.map(({ id, name }): [string, Ran] => [id, { ...judgeRule(name, rules), ms }]);
    return { rules: rules instanceof ForgeError ? [] : rules, ran: new Map(ran) };
  }

  async #check(...given: Parameters<ProofRules["check"]>): Promise<ProvenRule[] | ForgeError> {
    const port = await this.#rules();
    try {
      return (await port?.check(...given)) ?? [];
    } catch (error) {
      // Rules that cannot be read or measured are what the check came to; without trust nothing is run at all.
      if (error instanceof ForgeError && error.code !== "CANCELLED" && error.code !== "TRUST_REQUIRED") return error;
      throw error;
    }
  }
}

/**
 * Only a rule that is kept proves something: neither a waiver nor a mere warning does. What was not measured says nothing, also
 * without the change: the tests may not have been run there, a command may have been stopped, or another rule's has failed.
 */
function judgeRule(name: string, rules: ProvenRule[] | ForgeError): Omit<Ran, "ms"> {
  if (rules instanceof ForgeError) {
    const isOwn = rules.details?.["invariant"] === name;
    return { outcome: "error", isError: true, ...(!isOwn && { isVoid: true }), why: rules.message };
  }
  const rule = rules.find((one) => one.name === name);
  if (!rule) return { outcome: "not_found", why: `The project has no invariant ${name}.` };
  if (rule.status === "held") return { outcome: "passed", why: `${name} holds: ${rule.why}` };
  if (rule.status === "not_measured")
    return { outcome: "error", isError: true, isVoid: true, why: `${name}: ${rule.why}` };
  const waived = rule.status === "waived" ? " It is waived." : "";
  return { outcome: "failed", why: `${name}: ${rule.why}${waived}` };
}
