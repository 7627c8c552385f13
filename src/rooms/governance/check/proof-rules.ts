import type { Call } from "../../../kernel/calls/call.ts";
import type { GovernanceServices } from "../model/services.ts";
import type { CheckResult } from "./governance-check.ts";
import type { JudgedInvariant } from "./judge.ts";
import { listInvariants, type Policy } from "./policy.ts";

type ProvenRule = { name: string; status: JudgedInvariant["status"]; why: string };

/** What proof asks of a project's rules: invariants by name, layers as `boundary:NAME`. */
export function makeProofRules({ check }: Pick<GovernanceServices, "check">) {
  return {
    async names(): Promise<string[]> {
      return namesIn(await check.readPolicy());
    },
    /**
     * Holds a work tree to the rules of the commit `since`. Only the commands of the rules that are `asked` for are run. Nothing is
     * checked in a project that has no rules of its own, unless it is asked for.
     */
    async check(
      root: string,
      { since, asked }: { since: string | undefined; asked: readonly string[] },
      call: Pick<Call, "signal" | "report">,
    ): Promise<ProvenRule[]> {
      const tree = check.inTree(root);
      const { file, layers } = await tree.policyAt(since, call.signal);
      if (asked.length === 0 && layers.length === 0 && Object.keys(file).length === 0) return [];
      const result = await tree.check({ mode: "static", since, commands: asked }, call);
      return [
        ...result.invariants.map(describeInvariant),
        ...result.layers.map(({ name }) => describeLayer(name, result)),
      ].map((rule) => doubtUnread(rule, result));
    },
  };
}

function namesIn({ file, layers }: Policy): string[] {
  return [...listInvariants(file).map(({ name }) => name), ...layers.map(({ name }) => `boundary:${name}`)];
}

function describeInvariant({ name, status, value, message }: JudgedInvariant): ProvenRule {
  if (status === "not_measured") return { name, status, why: "It could not be measured." };
  return { name, status, why: message === undefined ? `It is ${value}.` : `It ${message}.` };
}

/** A rule that holds for the files that were read says nothing of the others. */
function doubtUnread(rule: ProvenRule, { incomplete = [] }: CheckResult): ProvenRule {
  if (rule.status !== "held" || !incomplete.includes(rule.name)) return rule;
  return { ...rule, status: "not_measured", why: "Files that it is about could not be read." };
}

function describeLayer(layer: string, { violations }: CheckResult): ProvenRule {
  const own = violations.filter((violation) => violation.layer === layer);
  const [first] = own.filter(({ status }) => status === "new");
  const name = `boundary:${layer}`;
  if (first) return { name, status: "broken", why: `${first.file}:${first.line} must not contain ${first.rule}.` };
  if (own.some(({ status }) => status === "waived")) return { name, status: "waived", why: "Violations are waived." };
  const known = own.length === 0 ? "" : ` ${own.length} known.`;
  return { name, status: "held", why: `No new violations.${known}` };
}
