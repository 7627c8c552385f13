import type { Action } from "../../../kernel/action.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Principal } from "../../../kernel/principal.ts";

/** The block that stands for the project's tickets: its tasks are the tickets themselves. */
export const ticketBlock = "tickets";

/** A ticket as a task: its text, criteria and files. */
export type TicketItem = {
  id: string;
  title: string;
  description: string;
  criteria: string[];
  files: string[];
  /** Others wrote it. */
  foreign: boolean;
};

export type TicketWorkRecord = {
  execution: string;
  task?: string;
  status: "started" | "merged" | "committed" | "cancelled";
  branch?: string;
  baseBranch?: string;
  base?: string;
  commit?: string;
  into?: string;
  files?: string[];
  tests?: { run: string; status: "passed" | "failed"; passed: number; failed: number };
};

/** What the workbench needs of tickets. */
export type TicketItems = {
  /** Whether the caller works on the ticket. */
  isActive(principal: Principal, id: string): boolean;
  /** Whether a person has taken over the ticket, and its text is still what they saw. */
  isAdopted(id: string): Promise<boolean>;
  /** The ticket, if the caller can start it; throws if not. */
  prepare(call: Call, id: string): Promise<TicketItem>;
  /** Records work on the ticket. Starting moves it to CREATED; the answer says what is left to do when it ended. */
  record(call: Call, id: string, work: TicketWorkRecord): Promise<Action[]>;
};
