import { findClosest } from "../../../kernel/text/closest.ts";
import { assignedToOther, moveNotAllowed, notExecutable, notReviewable, unknownStatus } from "./errors.ts";

/** In the order of a ticket's life. Upper case on every wire. */
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

/** The allowed moves. An archived ticket goes back to its previous status, which only the ticket knows. */
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

/** Where a new ticket can start: as a draft, or at what a draft can move to. */
export const initialStatuses: readonly Status[] = ["DRAFT", ...moves.DRAFT];

/** Legacy names that other ticket servers use, and what they mean here. */
const legacyNames: Record<string, Status> = {
  DEV_REFINING: "VALIDATED",
  DEFINED: "VALIDATED",
  REVIEW: "WAITING_FOR_APPROVAL",
  REFINED: "WAITING_FOR_APPROVAL",
  FORGED: "READY",
  APPROVED: "READY",
  EXECUTING: "CREATED",
  DELIVERED: "COMPLETE",
};

/** What people type on a command line. Files and servers use some of these words for something else. */
const everydayNames: Record<string, Status> = {
  TODO: "READY",
  TO_DO: "READY",
  IN_PROGRESS: "CREATED",
  WIP: "CREATED",
  DOING: "CREATED",
  STARTED: "CREATED",
  DONE: "COMPLETE",
  COMPLETED: "COMPLETE",
  FINISHED: "COMPLETE",
  CLOSED: "COMPLETE",
};

function canonical(name: string): string {
  return name.trim().toUpperCase().replace(/[-\s]/g, "_");
}

/** The status that a name means, in any case, current or legacy; undefined if it means none. */
export function parseStatus(name: string): Status | undefined {
  const wanted = name.trim().toUpperCase().replaceAll("-", "_");
  const own = statuses.find((status) => status === wanted);
  return own ?? (Object.hasOwn(legacyNames, wanted) ? legacyNames[wanted] : undefined);
}

export function requireStatus(name: string): Status {
  const status = parseStatus(name);
  if (status) return status;
  throw unknownStatus(name, statuses, nearestStatus(name));
}

function nearestStatus(name: string): Status | undefined {
  const [near = ""] = findClosest(canonical(name), [...statuses, ...Object.keys(everydayNames)]);
  return everydayNames[near] ?? parseStatus(near);
}

/** The same for what a person typed, who may also use everyday words such as `done`. */
export function requireTypedStatus(name: string): Status {
  const word = canonical(name);
  return Object.hasOwn(everydayNames, word) ? (everydayNames[word] ?? requireStatus(name)) : requireStatus(name);
}

/** Where a ticket can move to; `previous` is the status before it was archived. */
export function allowedMoves(status: Status, previous: Status | undefined): readonly Status[] {
  if (status !== "ARCHIVED") return moves[status];
  return [previous === undefined || previous === "ARCHIVED" ? "DRAFT" : previous];
}

/** Throws if the move is not in the table. Staying in a status is always allowed. */
export function requireMove(id: string, from: Status, to: Status, previous: Status | undefined): void {
  const allowed = allowedMoves(from, previous);
  if (from !== to && !allowed.includes(to)) throw moveNotAllowed(id, from, to, allowed);
}

/** The statuses in which a ticket can be executed or reviewed. `CREATED` can be executed by its assignee only. */
export const gates = {
  execute: ["READY", "VALIDATED"],
  review: ["READY", "VALIDATED", "CREATED", "DRIFTED"],
} as const satisfies Record<string, readonly Status[]>;

export type Gate = keyof typeof gates;

/** The assignee can continue a ticket's work; an unassigned ticket can be continued by anyone. */
export function canResume({ assignee }: { assignee?: string }, name: string): boolean {
  return assignee === undefined || assignee === name;
}

type GatedTicket = { id: string; status: Status; previousStatus?: Status };

/** Throws if a ticket in this status cannot be executed or reviewed; `resumes` if the caller can continue it. */
export function requireGate(gate: Gate, { id, status, previousStatus }: GatedTicket, resumes = false): void {
  const allowed: readonly Status[] = gates[gate];
  const isStarted = gate === "execute" && status === "CREATED";
  if (allowed.includes(status) || (isStarted && resumes)) return;
  if (isStarted) throw assignedToOther(id, status, allowed);
  const way = findWay(status, allowed, previousStatus);
  throw gate === "execute" ? notExecutable(id, status, allowed, way) : notReviewable(id, status, allowed, way);
}

/** The fewest allowed moves from a status to one of the wanted, without archiving the ticket on the way. */
export function findWay(from: Status, wanted: readonly Status[], previous: Status | undefined): Status[] {
  const ways: Status[][] = [[]];
  const seen = new Set<Status>([from]);
  for (const way of ways) {
    const at = way.at(-1) ?? from;
    if (wanted.includes(at)) return way;
    const moves = allowedMoves(at, previous);
    // Of two that are as near, the one that is wanted first.
    for (const next of [...wanted.filter((one) => moves.includes(one)), ...moves]) {
      if (next === "ARCHIVED" || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [];
}
