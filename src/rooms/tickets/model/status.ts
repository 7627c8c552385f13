import { ForgeError } from "../../../kernel/errors.ts";

/** Where a ticket can stand, in the order of its life. Upper case on every wire. */
export const statuses = [
  "DRAFT",
  "IN_QUESTION_ROUND_1",
  "IN_QUESTION_ROUND_2",
  "IN_QUESTION_ROUND_3",
  "QUESTIONS_COMPLETE",
  "VALIDATED",
  "WAITING_FOR_APPROVAL",
  "READY",
  "CREATED",
  "DRIFTED",
  "COMPLETE",
  "ARCHIVED",
] as const;

export type Status = (typeof statuses)[number];

/** The legal moves. An archived ticket goes back to where it was, which only the ticket knows. */
const moves: Record<Exclude<Status, "ARCHIVED">, readonly Status[]> = {
  DRAFT: ["IN_QUESTION_ROUND_1", "VALIDATED", "READY", "ARCHIVED"],
  IN_QUESTION_ROUND_1: ["IN_QUESTION_ROUND_2", "QUESTIONS_COMPLETE", "DRAFT", "ARCHIVED"],
  IN_QUESTION_ROUND_2: ["IN_QUESTION_ROUND_3", "QUESTIONS_COMPLETE", "DRAFT", "ARCHIVED"],
  IN_QUESTION_ROUND_3: ["QUESTIONS_COMPLETE", "DRAFT", "ARCHIVED"],
  QUESTIONS_COMPLETE: ["VALIDATED", "WAITING_FOR_APPROVAL", "DRAFT", "ARCHIVED"],
  VALIDATED: ["READY", "WAITING_FOR_APPROVAL", "CREATED", "DRAFT", "ARCHIVED"],
  WAITING_FOR_APPROVAL: ["READY", "VALIDATED", "DRAFT", "ARCHIVED"],
  READY: ["CREATED", "DRIFTED", "VALIDATED", "DRAFT", "ARCHIVED"],
  CREATED: ["COMPLETE", "DRIFTED", "READY", "ARCHIVED"],
  DRIFTED: ["READY", "VALIDATED", "CREATED", "DRAFT", "ARCHIVED"],
  COMPLETE: ["DRIFTED", "CREATED", "ARCHIVED"],
};

/** What the names of other generations of ticket servers mean; today's own names stand for themselves. */
const otherNames: Record<string, Status> = {
  DEV_REFINING: "VALIDATED",
  DEFINED: "VALIDATED",
  REVIEW: "WAITING_FOR_APPROVAL",
  REFINED: "WAITING_FOR_APPROVAL",
  FORGED: "READY",
  APPROVED: "READY",
  EXECUTING: "CREATED",
  DELIVERED: "COMPLETE",
};

/** The status a name means, in whatever case and generation, with `_` or `-`; undefined where none does. */
export function parseStatus(name: string): Status | undefined {
  const canonical = name.trim().toUpperCase().replaceAll("-", "_");
  const own = statuses.find((status) => status === canonical);
  return own ?? (Object.hasOwn(otherNames, canonical) ? otherNames[canonical] : undefined);
}

/** A person's word for a status; throws with the ones there are. */
export function requireStatus(name: string): Status {
  const status = parseStatus(name);
  if (status) return status;
  throw new ForgeError("VALIDATION_ERROR", `"${name.slice(0, 64)}" is no status of a ticket.`, {
    details: { statuses },
    next: [`Give one of ${statuses.join(", ")}.`],
  });
}

/** Where a ticket may go from here; `before` is what an archived one was. */
export function allowedMoves(status: Status, before: Status | undefined): readonly Status[] {
  if (status !== "ARCHIVED") return moves[status];
  return [before === undefined || before === "ARCHIVED" ? "DRAFT" : before];
}

/** Throws where the move is not in the table. Staying is no move and always allowed. */
export function requireMove(id: string, from: Status, to: Status, before: Status | undefined): void {
  const legal = allowedMoves(from, before);
  if (from === to || legal.includes(to)) return;
  throw new ForgeError("VALIDATION_ERROR", `${id} is ${from} and cannot become ${to} from there.`, {
    details: { ticketId: id, from, to, legal },
    next: [`From ${from} it can become ${legal.join(", ")}.`],
  });
}

/** What can be done with a ticket that stands here. `CREATED` is executed on only by whoever is on it. */
export const gates = {
  execute: ["READY", "VALIDATED"],
  review: ["READY", "VALIDATED", "CREATED", "DRIFTED"],
} as const satisfies Record<string, readonly Status[]>;

export type Gate = keyof typeof gates;

/** Whoever is on a ticket may go on with it; one that is nobody's may be taken up by anybody. */
export function canResume({ assignee }: { assignee?: string }, name: string): boolean {
  return assignee === undefined || assignee === name;
}

/** Throws where a ticket in this status cannot be executed or reviewed; `resumes` where the caller is already on it. */
export function requireGate(gate: Gate, id: string, status: Status, resumes = false): void {
  const open: readonly Status[] = gates[gate];
  if (open.includes(status) || (gate === "execute" && status === "CREATED" && resumes)) return;
  const verb = gate === "execute" ? "executed" : "reviewed";
  const legal = open.join(" or ");
  const own = gate === "execute" && status === "CREATED";
  throw new ForgeError("VALIDATION_ERROR", `${id} is ${status}; a ticket can be ${verb} when it is ${legal}.`, {
    details: { ticketId: id, status, legal: open },
    next: own
      ? [`Somebody is on ${id} already. Assign it to yourself to resume it: forge assign ${id} me.`]
      : [`Move it first, if that is right: forge status ${id} ${open[0]}.`],
  });
}
