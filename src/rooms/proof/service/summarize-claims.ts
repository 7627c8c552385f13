import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import type { ProofTicket, TicketEvent } from "../model/ports.ts";

type Item = { ticket: ProofTicket; history: TicketEvent[]; states: CriterionProof[] };

export type ClaimRow = {
  who: string;
  claimed: number;
  proven: number;
  firstTry: number;
  reopened: number;
  lapsed: number;
  hoursToProof?: number;
};

const hourMs = 3_600_000;

/** Claims of done against proof, by who completed or last worked on each ticket. */
export function summarizeClaims(items: readonly Item[]): ClaimRow[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(whoDid(item), [...(groups.get(whoDid(item)) ?? []), item]);
  const rows = [...groups].map(([who, own]) => {
    const hours = own.flatMap((item) => hoursToProof(item) ?? []).sort((a, b) => a - b);
    const median = hours[Math.floor((hours.length - 1) / 2)];
    return {
      who,
      claimed: own.filter(wasClaimed).length,
      proven: own.filter((item) => wasClaimed(item) && isProven(item)).length,
      firstTry: own.filter(wasProvenAtOnce).length,
      reopened: own.reduce((sum, { history }) => sum + history.filter(isReopening).length, 0),
      lapsed: own.flatMap(({ states }) => states.flatMap(({ checks }) => checks)).filter(hasLapsed).length,
      ...(median !== undefined && { hoursToProof: Math.round(median * 10) / 10 }),
    };
  });
  return rows.toSorted((a, b) => b.claimed - a.claimed || a.who.localeCompare(b.who));
}

function whoDid({ ticket, history }: Item): string {
  const done = history.findLast(isCompletion) ?? history.findLast(({ kind }) => kind === "work");
  const work = ticket.records.work?.at(-1);
  const { by, agent } = done ?? work ?? { by: "unknown", agent: undefined };
  return agent === undefined ? by : `${by} with ${agent}`;
}

function isCompletion({ kind, details }: TicketEvent): boolean {
  return kind === "completed" || (kind === "status" && details["to"] === "COMPLETE");
}

function isReopening({ kind, details }: TicketEvent): boolean {
  return kind === "status" && details["from"] === "COMPLETE" && details["to"] !== "ARCHIVED";
}

function wasClaimed({ history }: Item): boolean {
  return history.some(isCompletion);
}

function hasLapsed({ state, why }: CriterionProof["checks"][number]): boolean {
  return state === "unproven" && /^(?:Proven|Seen) at /.test(why);
}

function isProven({ states }: Item): boolean {
  return states.length > 0 && states.every(({ state }) => state === "proven" || state === "waived");
}

/** The first verification had no failure, and the criteria are proven. */
function wasProvenAtOnce(item: Item): boolean {
  const first = item.history.find(({ kind }) => kind === "verified");
  const failed = first?.details["failed"];
  return isProven(item) && Array.isArray(failed) && failed.length === 0;
}

function hoursToProof(item: Item): number | undefined {
  const start = item.ticket.records.work?.[0]?.at;
  const proof = item.history.find(({ kind, details }) => kind === "verified" && isEmpty(details["failed"]));
  if (start === undefined || !proof || !isProven(item)) return undefined;
  return Math.max(0, Date.parse(proof.at) - Date.parse(start)) / hourMs;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
