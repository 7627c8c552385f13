import {
  type CriterionProof,
  type CriterionState,
  readCriterionStates,
} from "../../../../commons/evidence/criterion-states.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { TicketRecords } from "../../model/records/schema.ts";
import type { TicketView } from "../../model/ticket/ticket-view.ts";

const colours: Record<CriterionState, keyof Style> = {
  proven: "green",
  failed: "red",
  unproven: "yellow",
  waived: "cyan",
};

/** What is proven of a ticket; nothing while no check is bound and nothing waived. */
export function proofLines({ criteria }: Pick<TicketView, "criteria">, records: TicketRecords, style: Style): string[] {
  if (!records.checks?.length && !records.waivers?.length) return [];
  return readCriterionStates(criteria, records).map((criterion) => proofLine(criterion, style));
}

function proofLine({ id, state, why, checks }: CriterionProof, style: Style): string {
  const [first] = checks;
  const at = state === "proven" && first?.seen ? ` at ${first.seen.commit.slice(0, 7)}` : "";
  return `  ${plain(id).padEnd(6)} ${style[colours[state]](state)}${plain(`${at}: ${why}`)}`;
}
