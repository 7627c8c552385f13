import type { Invariant, KnownViolation, PolicyFile, Severity, Waiver } from "./policy.ts";
import type { Violation } from "./scan/scan-tree.ts";

type InvariantStatus = "held" | "broken" | "warning" | "waived" | "not_measured";

export type JudgedInvariant = {
  name: string;
  constraint: Invariant["constraint"];
  severity: Severity;
  /** Null where it was not measured. */
  value: number | null;
  /** What the value was compared with. */
  expected: number;
  source: string;
  status: InvariantStatus;
  message?: string;
};

export type JudgedViolation = Violation & { status: "new" | "known" | "waived" };

export type ExpiredWaiver = Waiver & { expired: true };

/** `fault`: why there is no value, where measuring it went wrong. */
export type Measured = { value: number; source: string } | { fault: string; source: string };

/** The waivers that still count, and those that do not any more. */
export class WaiverList {
  readonly expired: ExpiredWaiver[];
  readonly #valid: Waiver[];

  constructor(waivers: readonly Waiver[], today: string) {
    // The last day counts.
    this.#valid = waivers.filter(({ until }) => until >= today);
    this.expired = waivers.filter(({ until }) => until < today).map((waiver) => ({ ...waiver, expired: true }));
  }

  covers(rule: string, file?: string): boolean {
    return this.#valid.some((waiver) => waiver.rule === rule && (waiver.file === undefined || waiver.file === file));
  }
}

/** Compares a value with what the policy demands. Without a recorded value, the default is the limit. */
export function judgeInvariant(
  invariant: Invariant,
  measured: Measured | undefined,
  { recorded = {} }: Pick<PolicyFile, "recorded">,
  waivers: WaiverList,
): JudgedInvariant {
  const { name, constraint, severity, own, default_value } = invariant;
  const usesRecorded =
    constraint !== "non_zero" && (constraint !== "equal" || (own !== undefined && own.value === undefined));
  const known = usesRecorded && Object.hasOwn(recorded, name) ? recorded[name]?.value : undefined;
  const expected = known ?? default_value;
  const facts = { name, constraint, severity, expected };
  if (!measured) return { ...facts, value: null, source: "none", status: "not_measured" };
  const { source } = measured;
  const value = "value" in measured ? measured.value : null;
  // Nothing to compare with yet: the first record sets the limit.
  const isFirst = known === undefined && usesRecorded && constraint !== "monotonic_up";
  const breach = () => (value === null || isFirst ? undefined : breachOf(constraint, value, expected));
  const message = "fault" in measured ? `could not be measured: ${measured.fault}` : breach();
  if (message === undefined || severity === "off") return { ...facts, value, source, status: "held" };
  if (waivers.covers(name)) return { ...facts, value, source, status: "waived", message };
  return { ...facts, value, source, status: severity === "warning" ? "warning" : "broken", message };
}

function breachOf(constraint: Invariant["constraint"], value: number, expected: number): string | undefined {
  switch (constraint) {
    case "monotonic_up":
      return value < expected ? `fell from ${expected} to ${value}` : undefined;
    case "monotonic_down":
      return value > expected ? `rose from ${expected} to ${value}` : undefined;
    case "equal":
      return value === expected ? undefined : `is ${value}, must be ${expected}`;
    default:
      return value === 0 ? "is 0, must not be" : undefined;
  }
}

/** Known violations are a baseline: they are not reported, and those that are gone can be taken off the list. */
export function judgeViolations(
  violations: readonly Violation[],
  known: readonly KnownViolation[],
  waivers: WaiverList,
): { violations: JudgedViolation[]; fixed: KnownViolation[] } {
  const keyOf = (...parts: string[]) => JSON.stringify(parts);
  const namesOf = ({ layer, file, rule }: Violation) => [keyOf(layer, file), keyOf(layer, file, rule)];
  const nameOf = ({ layer, file, pattern }: KnownViolation) =>
    pattern === undefined ? keyOf(layer, file) : keyOf(layer, file, pattern);
  const [listed, found] = [new Set(known.map(nameOf)), new Set<string>()];
  const statusOf = (violation: Violation): JudgedViolation["status"] => {
    const names = namesOf(violation).filter((name) => listed.has(name));
    for (const name of names) found.add(name);
    if (names.length > 0) return "known";
    return waivers.covers(`boundary:${violation.layer}`, violation.file) ? "waived" : "new";
  };
  const judged = violations.map((violation) => ({ ...violation, status: statusOf(violation) }));
  return {
    violations: judged,
    fixed: known.filter((item) => !found.has(nameOf(item))),
  };
}
