import { type CriterionProof, readCriterionStates } from "../../../../commons/evidence/criterion-states.ts";
import type { Ticket } from "../ticket.ts";
import { hasProof } from "./is-proven.ts";

const maxShownWork = 5;
const maxShownComments = 20;

/** What Forge itself knows of a ticket, in short: its work, its proof, its comments. Empty parts are undefined. */
export function readWork(ticket: Ticket) {
  const { records = {}, labels, dependsOn, blockedBy, unproven } = ticket;
  const { work = [], comments = [] } = records;
  return {
    labels: orUndefined(labels),
    dependsOn: orUndefined(dependsOn),
    blockedBy: orUndefined(blockedBy ?? []),
    unproven,
    work: orUndefined(work.slice(-maxShownWork).map(({ files: _, ...shown }) => shown)),
    workOmitted: work.length > maxShownWork ? work.length - maxShownWork : undefined,
    proof: proofOf(ticket),
    comments: orUndefined(comments.slice(-maxShownComments)),
  };
}

/** By criterion: its state, and why it is not proven. Absent while nothing is known. */
function proofOf({ criteria, records = {} }: Ticket): Record<string, string> | undefined {
  if (!hasProof(records)) return undefined;
  return describeProof(readCriterionStates(criteria, records));
}

export function describeProof(states: readonly CriterionProof[]): Record<string, string> {
  return Object.fromEntries(states.map(({ id, state, why }) => [id, state === "proven" ? state : `${state}: ${why}`]));
}

function orUndefined<Item>(items: Item[]): Item[] | undefined {
  return items.length > 0 ? items : undefined;
}
