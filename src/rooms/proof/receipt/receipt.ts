import { createHash } from "node:crypto";
import * as z from "zod";
import { newCheck, ruleResult, type Verification } from "../../../commons/evidence/checks.ts";
import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { ProofTicket, WorkDone } from "../model/ports.ts";
import { describeCheck } from "../service/describe-check.ts";
import { invalidReceipt, nothingVerified } from "./errors.ts";

const statementType = "https://in-toto.io/Statement/v1";
const predicateType = "https://in-toto.io/attestation/test-result/v0.1";
const text = z.string().max(100_000);
const hash = z.string().regex(/^[0-9a-f]{40,64}$/);

/** Who ran a check, and whether Forge did so where the receipt was made or was only told. */
const evidenceSource = z.object({
  by: text,
  at: text,
  machine: text.optional(),
  reported: z.boolean(),
  ci: z.boolean().optional(),
});
export type EvidenceSource = z.output<typeof evidenceSource>;

const receiptCheck = newCheck.extend({
  id: z.string().max(100),
  outcome: text.optional(),
  base: text.optional(),
  state: z.enum(["unproven", "proven", "failed"]),
  why: text,
  changed: z.boolean().optional(),
  source: evidenceSource.optional(),
});

/** What was asked, what was done, and what shows it. */
const receipt = z.object({
  version: z.literal(1),
  at: text,
  by: text,
  machine: text,
  issuer: z.object({ server: text, team: z.object({ id: text, name: text }) }).optional(),
  ticket: z.object({ id: text, title: text, description: text.optional() }),
  commit: hash,
  tree: hash,
  base: hash.optional(),
  criteria: z.array(
    z.object({
      id: text,
      text,
      state: z.enum(["unproven", "proven", "failed", "waived"]),
      why: text,
      checks: z.array(receiptCheck).max(200),
    }),
  ),
  work: z.array(
    z.object({
      execution: text,
      status: text,
      by: text,
      agent: text.optional(),
      commit: text.optional(),
      files: z.array(text).optional(),
      tests: z.object({ run: text, status: text, passed: z.number(), failed: z.number() }).optional(),
    }),
  ),
  waived: z.array(z.object({ criterion: text, reason: text, until: text, by: text })),
  rules: z.array(ruleResult).optional(),
});
export type Receipt = z.output<typeof receipt>;
/** The server that made it, and for which of its teams; a laptop's receipt has none. */
export type ReceiptIssuer = NonNullable<Receipt["issuer"]>;

const statement = z.object({
  _type: z.literal(statementType),
  subject: z.array(z.object({ digest: z.object({ gitCommit: hash, gitTree: hash.optional() }) })).min(1),
  predicateType: z.literal(predicateType),
  predicate: z.object({
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    configuration: z.array(z.record(z.string(), z.unknown())),
    forge: receipt,
  }),
});

type CheckState = CriterionProof["checks"][number];

/** As it counts by now: what was only waived, and no longer is, is not settled. */
export function endWaivers(made: Receipt, now: number): Receipt {
  const isWaived = (id: string) =>
    made.waived.some(({ criterion, until }) => criterion === id && Date.parse(until) > now);
  const criteria = made.criteria.map((one) =>
    one.state === "waived" && !isWaived(one.id)
      ? { ...one, state: "unproven" as const, why: `Its waiver has ended. ${one.why}` }
      : one,
  );
  return { ...made, criteria };
}

/** Without a repository to compare files in: what was shown on another tree says nothing about the one of a receipt. */
export function keepShownOn(states: readonly CriterionProof[], tree: string | undefined): CriterionProof[] {
  return states.map((criterion) => {
    const checks = criterion.checks.map((check) => {
      const { look } = check.check;
      const on = look ? look.on : check.seen;
      if (check.state !== "proven" || on === undefined || on.tree === tree) return check;
      const why = `${look ? "Seen" : "Proven"} at ${on.commit.slice(0, 7)}, which is another tree.`;
      return { ...check, state: "unproven" as const, why };
    });
    const lapsed = checks.find((check, at) => check !== criterion.checks[at]);
    return {
      ...criterion,
      ...(criterion.state === "proven" && lapsed && { state: lapsed.state, why: lapsed.why }),
      checks,
    };
  });
}

type ReceiptFacts = {
  at: string;
  attested: Verification | undefined;
  issuer?: ReceiptIssuer;
  /** Whether Forge ran it where the receipt is made. */
  ranHere(seen: Pick<Verification, "by" | "machine">): boolean;
  redactor: Pick<Redactor, "value">;
};

/**
 * What a receipt is of: the latest verification; with `ciOnly` the latest of CI's, as nobody else's word counts. If CI has reported
 * none, the latest names the commit, and nothing more of it counts.
 */
export function findAttested(
  { records: { verifications = [] } }: Pick<ProofTicket, "records">,
  ciOnly: boolean,
): Verification | undefined {
  const counted = verifications.findLast(({ ci }) => ci || !ciOnly);
  const last = counted ?? verifications.at(-1);
  return last && { ...last, ...(!counted && { rules: undefined }) };
}

/** The receipt of a ticket as it was last verified. */
export function makeReceipt(
  ticket: ProofTicket,
  states: readonly CriterionProof[],
  { at, attested: last, issuer, ranHere, redactor }: ReceiptFacts,
): Receipt {
  if (!last) throw nothingVerified(ticket.id);
  const { id, title, description } = ticket;
  const { commit, tree, base } = last;
  const made: Receipt = {
    version: 1,
    at,
    by: last.by,
    machine: last.machine,
    ...(issuer && { issuer }),
    ticket: { id, title, ...(description !== undefined && { description }) },
    ...{ commit, tree },
    ...(base !== undefined && { base }),
    criteria: states.map(({ checks, ...criterion }) => ({
      ...criterion,
      checks: checks.map((check) => toReceiptCheck(check, ranHere)),
    })),
    work: (ticket.records.work ?? []).map(toReceiptWork),
    waived: (ticket.records.waivers ?? []).map(({ criterion, reason, until, by }) => ({
      criterion,
      reason,
      until,
      by,
    })),
    ...(last.rules && { rules: last.rules }),
  };
  // It is kept in git and given to others.
  return { ...redactor.value(made), commit, tree, ...(base !== undefined && { base }) };
}

function toReceiptCheck(state: CheckState, ranHere: ReceiptFacts["ranHere"]): z.input<typeof receiptCheck> {
  const { check, result, state: shown, why } = state;
  const { id, criterion, how, expectGreen, execution } = check;
  const source = sourceOf(state, ranHere);
  return {
    ...{ id, criterion, how, state: shown, why },
    ...(expectGreen && { expectGreen }),
    ...(execution !== undefined && { execution }),
    ...(result && { outcome: result.outcome }),
    ...(result?.base && { base: result.base }),
    ...(result?.changed && { changed: true }),
    ...(source && { source }),
  };
}

function sourceOf({ check, seen }: CheckState, ranHere: ReceiptFacts["ranHere"]): EvidenceSource | undefined {
  if (check.look) return { by: check.look.by, at: check.look.at, reported: true };
  if (!seen) return undefined;
  const { by, at, machine, ci } = seen;
  return { by, at, machine, reported: !ranHere(seen), ...(ci && { ci }) };
}

/** In a few words, for people. */
export function describeSource(source: EvidenceSource | undefined): string {
  if (!source) return "not run";
  const { by, machine, reported, ci } = source;
  if (machine === undefined) return `seen by ${by}`;
  if (!reported) return `run here by Forge for ${by} (${machine})`;
  return ci ? `reported by CI, as ${by} (${machine})` : `reported by ${by} from their machine (${machine})`;
}

function toReceiptWork({ execution, status, by, agent, commit, files, tests }: WorkDone) {
  return {
    ...{ execution, status },
    // `ada/codex` is ada, who works with codex.
    ...(agent === undefined ? { by } : { by: by.endsWith(`/${agent}`) ? by.slice(0, -agent.length - 1) : by, agent }),
    ...(commit !== undefined && { commit }),
    ...(files && { files }),
    ...(tests && { tests }),
  };
}

/** PASSED if everything is proven; WARNED if something is only waived or not proven; FAILED if a check failed. */
export function resultOf({ criteria }: Receipt): "PASSED" | "WARNED" | "FAILED" {
  if (criteria.some(({ state }) => state === "failed")) return "FAILED";
  return criteria.length > 0 && criteria.every(({ state }) => state === "proven") ? "PASSED" : "WARNED";
}

/** As an in-toto statement: the commit is the subject, the checks are the configuration. */
export function toStatement(made: Receipt): Buffer {
  const checks = made.criteria.flatMap((criterion) => criterion.checks);
  const names = (state: string) =>
    checks
      .filter((check) => check.state === state)
      .map(({ id, criterion, how }) => `${criterion} ${id} ${describeCheck(how)}`);
  return Buffer.from(
    JSON.stringify({
      _type: statementType,
      subject: [{ name: "_", digest: { gitCommit: made.commit, gitTree: made.tree } }],
      predicateType,
      predicate: {
        result: resultOf(made),
        configuration: checks.map(({ id, how }) => ({ name: id, digest: { sha256: sha256(JSON.stringify(how)) } })),
        passedTests: names("proven"),
        warnedTests: names("unproven"),
        failedTests: names("failed"),
        forge: made,
      },
    }),
  );
}

/** Reads the very bytes that were verified. */
export function readStatement(body: Buffer): Receipt {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch {
    throw invalidReceipt("its statement is not JSON");
  }
  const read = statement.safeParse(parsed);
  if (!read.success) throw invalidReceipt("its statement is not one that Forge writes");
  const { subject, predicate } = read.data;
  if (subject[0]?.digest.gitCommit !== predicate.forge.commit) throw invalidReceipt("its subject is another commit");
  if (predicate.result !== resultOf(predicate.forge)) throw invalidReceipt("its result does not match its criteria");
  if (!predicate.forge.criteria.every(isShownByChecks))
    throw invalidReceipt("it calls a criterion proven that its checks do not prove");
  return predicate.forge;
}

/** What it says of a criterion is no more than what it says of the checks, which can be run again. */
function isShownByChecks({ state, checks }: Receipt["criteria"][number]): boolean {
  return state !== "proven" || (checks.length > 0 && checks.every((check) => check.state === "proven"));
}

function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
