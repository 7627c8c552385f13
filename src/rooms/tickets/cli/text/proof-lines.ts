import { type CriterionState, readCriterionStates } from "../../../../commons/evidence/criterion-states.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { hasProof } from "../../model/records/is-proven.ts";
import type { TicketRecords } from "../../model/records/schema.ts";
import type { ProofState, TicketView } from "../../model/ticket/ticket-view.ts";
import { toCriterionState } from "../../model/ticket/to-view.ts";

const colours: Record<CriterionState, keyof Style> = {
  proven: "green",
  failed: "red",
  unproven: "yellow",
  waived: "cyan",
};

/** What is proven of a ticket; nothing while no check is bound and nothing waived. */
export function proofLines(
  { criteria, proof }: Pick<TicketView, "criteria"> & { proof?: ProofState[] | undefined },
  records: TicketRecords,
  style: Style,
): string[] {
  if (!hasProof(records)) return [];
  const states = proof ?? readCriterionStates(criteria, records).map(toCriterionState);
  return states.map((criterion) => proofLine(criterion, style));
}

function proofLine({ id, state, why, commit }: ProofState, style: Style): string {
  const at = state === "proven" && commit !== undefined ? ` at ${commit.slice(0, 7)}` : "";
  return `  ${plain(id).padEnd(6)} ${style[colours[state]](state)}${plain(`${at}: ${why}`)}`;
}
