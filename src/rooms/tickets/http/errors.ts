import { ForgeError } from "../../../kernel/errors.ts";
import type { Ticket } from "../model/ticket.ts";

/** What only a request over HTTP can get wrong. */

export function notAMember(userId: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The userId is not a member of the team.", {
    details: { userId },
    next: [
      "GET /api/teams/TEAM/members lists the members' ids; `me` is the caller.",
      "To assign the ticket to any other name, PATCH the ticket itself with assignedTo.",
    ],
  });
}

export function assigneesDiffer(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "assignee and assignedTo are the same field, but their values differ.", {
    next: ["Send only one of them."],
  });
}

export function documentNotAlone(): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    "`document` replaces the complete ticket and cannot be sent with other fields.",
    {
      next: ["Put the other fields into the document, or leave out the document."],
    },
  );
}

export function documentNeedsRevision(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Replacing the document needs the revision that it is based on.", {
    next: ["Read the ticket, and send its ETag as If-Match."],
  });
}

export function notInProgress({ id, status }: Pick<Ticket, "id" | "status">): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} is ${status}; events are recorded only while a ticket is CREATED.`, {
    details: { ticketId: id, status },
    next: ["Move it to CREATED when work on it starts."],
  });
}

export function notReported(id: string, kind: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `A ${kind} of a local ticket cannot be reported: Forge records it itself.`,
    {
      details: { kind },
      next: [{ tool: "forge_verify_ticket", input: { ticketId: id }, why: "to have the checks run" }],
    },
  );
}
