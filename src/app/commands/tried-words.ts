import type { Action } from "../../kernel/action.ts";

const ready: Action = { tool: "list_tickets", input: { status: ["READY"] }, why: "to see what is ready to start" };
const inProgress: Action = { tool: "list_tickets", input: { status: ["CREATED"] }, why: "to see tickets in progress" };

/** Words that people try because other programs have them, and the commands that do the same here. */
export const triedWords: Record<string, readonly Action[]> = {
  todo: [ready],
  wip: [inProgress],
  "in-progress": [inProgress],
  board: [
    { command: "list", why: "to see the tickets" },
    { command: "up", why: "to open the board" },
  ],
  config: [
    "Your settings are in ~/.forge/settings.json.",
    { command: "help settings", why: "to see all settings" },
    { command: "doctor", why: "to check yours" },
  ],
  delete: [{ command: "status ID archived", why: "to archive a ticket; tickets are never deleted" }],
};
