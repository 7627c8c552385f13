import { readCriterionStates } from "../../../commons/evidence/criterion-states.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { unknownCommit } from "../model/errors.ts";
import type { Proof } from "../service/proof.ts";
import { keyIdOf, openEnvelope, signPayload } from "./dsse.ts";
import { invalidReceipt, rerunNeedsSigner } from "./errors.ts";
import type { ReceiptKeys } from "./keys.ts";
import {
  endWaivers,
  findAttested,
  makeReceipt,
  type Receipt,
  readStatement,
  resultOf,
  toStatement,
} from "./receipt.ts";

export type ReceiptVerdict = {
  receipt: Receipt;
  keyId: string;
  /** Whose key it is, as far as the user has said. */
  isKnownSigner: boolean;
  result: ReturnType<typeof resultOf>;
  rerun?: { passed: boolean; results: { check: string; outcome: string; why: string }[] };
};

/** Writes and checks receipts. */
export class Receipts {
  readonly #proof: Proof;
  readonly #keys: ReceiptKeys;
  readonly #redactor: Redactor;
  readonly #policyOf: (call: Call) => Promise<{ ciOnly: boolean }>;

  /** `policyOf`: what the team, if there is one, lets count. */
  constructor(
    proof: Proof,
    keys: ReceiptKeys,
    redactor: Redactor,
    policyOf: (call: Call) => Promise<{ ciOnly: boolean }>,
  ) {
    this.#proof = proof;
    this.#keys = keys;
    this.#redactor = redactor;
    this.#policyOf = policyOf;
  }

  async make(call: Call, id: string): Promise<Receipt> {
    const ticket = await (await this.#proof.tickets()).get(id);
    const { ciOnly } = await this.#policyOf(call);
    const attested = findAttested(ticket, ciOnly);
    const states = await this.#proof.states(ticket, call.signal, { commit: attested?.commit, ciOnly });
    const at = new Date().toISOString();
    const [redactor, ranHere] = [this.#redactor, await this.#proof.ranHere(call)];
    return makeReceipt(ticket, states, { at, attested, redactor, ranHere });
  }

  /** The envelope as JSON. */
  async sign(receipt: Receipt): Promise<string> {
    return `${JSON.stringify(signPayload(toStatement(receipt), await this.#keys.own()), undefined, 2)}\n`;
  }

  /** Signature, commit and tree; and if asked for, the checks once more. Throws for what is not valid. */
  async verify(
    call: Call,
    text: string,
    { rerun = false, commit }: { rerun?: boolean | undefined; commit?: string | undefined } = {},
  ): Promise<ReceiptVerdict> {
    const { body, signer, isKnown: isTrusted } = openEnvelope(text, await this.#keys.readTrusted());
    const receipt = endWaivers(readStatement(body), Date.now());
    const teams = await this.#keys.teamsOf(keyIdOf(signer));
    // A server signs for all of its teams, and anyone may have one there.
    const isKnown =
      isTrusted && (receipt.issuer === undefined ? teams.length === 0 : teams.includes(receipt.issuer.team.id));
    const { commits } = this.#proof.git.work(this.#proof.projectRoot);
    if (!(await commits.has(receipt.commit, call.signal)))
      throw invalidReceipt(`the commit ${receipt.commit.slice(0, 12)} is not in this repository`);
    const tree = await commits.treeOf(receipt.commit, call.signal);
    if (tree !== receipt.tree) throw invalidReceipt("the commit has another tree");
    if (commit !== undefined) await this.#requireCommit(receipt, commit, call.signal);
    const verdict = { receipt, keyId: keyIdOf(signer), isKnownSigner: isKnown, result: resultOf(receipt) };
    if (!rerun) return verdict;
    if (!isKnown) throw rerunNeedsSigner();
    return { ...verdict, rerun: await this.#runAgain(call, receipt) };
  }

  /** A valid receipt of an earlier commit says nothing about what came after it. */
  async #requireCommit(receipt: Receipt, given: string, signal: AbortSignal): Promise<void> {
    const wanted = await this.#proof.git.open(this.#proof.projectRoot).resolveCommit(given, signal);
    if (wanted === undefined) throw unknownCommit(given);
    if (wanted !== receipt.commit)
      throw invalidReceipt(`it is of commit ${receipt.commit.slice(0, 12)}, not of ${wanted.slice(0, 12)}`);
  }

  async #runAgain(call: Call, { commit, tree, base, criteria }: Receipt) {
    const verifier = await this.#proof.verifier();
    const checks = criteria
      .flatMap((criterion) => criterion.checks)
      .filter(({ how }) => how.type !== "look")
      .map(({ id, criterion, how, expectGreen }) => ({
        ...{ id, criterion, how, by: "", at: "" },
        ...(expectGreen && { expectGreen }),
      }));
    const before = new Map(criteria.flatMap((criterion) => criterion.checks.map((check) => [check.id, check])));
    const results = await verifier.prove(call, { checks, head: commit, base });
    const isAsBefore = ({ check, outcome, base: onBase }: (typeof results)[number]) =>
      before.get(check)?.outcome === outcome && (before.get(check)?.base === "passed") === (onBase === "passed");
    const seen = { id: "", commit, tree, clean: true, machine: "", by: "", at: "", results };
    const shown = readCriterionStates(criteria, { checks, verifications: [seen] }).flatMap((one) => one.checks);
    const areProven = shown.every(({ check, state }) => before.get(check.id)?.state !== "proven" || state === "proven");
    return {
      passed: areProven && results.every(isAsBefore),
      results: results.map(({ check, outcome, why }) => ({ check, outcome, why })),
    };
  }
}
