import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { Status } from "../model/status.ts";
import type { ImportOutcome } from "../service/tickets.ts";

/** What can go wrong between this machine and a server that has the tickets. */

export function unexpectedAnswer(expected: string): ForgeError {
  return new ForgeError("NETWORK_ERROR", `The server's answer is not ${expected}.`, {
    details: { reason: "garbled" },
    next: ["Check that the address is that of a Forge server and ends in /api. Its version may differ from yours."],
  });
}

/** An offline list was continued after the server came back; its cursors mean nothing to the server. */
export function offlineCursorExpired(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "This list was started while the server was unreachable; it is back now.", {
    next: ["Ask for the first page again, without a cursor."],
  });
}

/** A change can start with a read: if that fails, nothing was changed, and nothing will be later. */
export function nothingQueued(error: ForgeError): ForgeError {
  return new ForgeError(error.code, `${error.message} Nothing was changed and nothing is queued.`, {
    details: { ...error.details, outcome: "unchanged" },
    ...(error.next && { next: error.next }),
  });
}

export function partlyImported(error: ForgeError, outcomes: readonly ImportOutcome[]): ForgeError {
  return new ForgeError(
    error.code,
    `The first ${outcomes.length} tickets were imported, the others were not: ${error.message}`,
    {
      details: { ...error.details, outcome: "partial", outcomes },
      next: [...(error.next ?? []), "Then import the same tickets again and skip existing ones."],
    },
  );
}

/** `what` continues the sentence: "T-001 was created, but not all of it could be saved". */
export function partlyWritten(error: ForgeError, id: string, what: string): ForgeError {
  return new ForgeError(error.code, `${id} ${what}: ${error.message}`, {
    details: { ...error.details, ticketId: id, outcome: "partial" },
    next: ["Read the ticket to see what is missing.", ...(error.next ?? [])],
  });
}

/** `what` continues the sentence: "The server at URL does not support claims". */
export function notSupported(origin: string, what: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The server at ${origin} ${what}. Nothing was changed.`, {
    details: { server: origin },
    next: ["Continue without it. Forge servers and local tickets support it."],
  });
}

export function fieldsNotSupported(id: string, fields: readonly string[]): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `This server cannot change ${fields.join(" or ")} of ${id}. Nothing was changed.`,
    {
      details: { ticketId: id, fields },
      next: [`Leave out ${fields.join(" and ")}, or change it on the server's own pages.`],
    },
  );
}

export function statusNotSupported(status: Status, known: readonly string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `This server has no status ${status}. Nothing was changed.`, {
    details: { status, known },
    next: [`It has ${known.join(", ")}.`],
  });
}

export function changedMeanwhile(id: string, expectedRevision: number, currentRevision: number): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${id} was changed by someone else. Nothing was saved.`, {
    details: { expectedRevision, currentRevision },
    next: ["Read it again, check that your change still fits, and send it with the current revision."],
  });
}

export function ambiguousMember(person: string, names: readonly string[], ids: readonly string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Several members are called ${visible(person.slice(0, 64))}.`, {
    details: { members: ids },
    next: [`Use an email address or id: ${names.map((name) => visible(name.slice(0, 200))).join(", ")}.`],
  });
}

export function notLinked(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "This project is not linked to a team's server.", {
    next: [
      { command: "login --url URL", why: "to sign in, if you are not" },
      { command: "link", why: "to link the project" },
    ],
  });
}

export function notATeamServer(origin: string): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `The server at ${origin} does not support this: it is not a team's Forge server.`,
    {
      details: { server: origin },
      next: ["Check the address. If it is right, use that server's own web pages."],
    },
  );
}

type PushedId = { id: string; newId: string };

export function pushStopped(moved: readonly PushedId[]): ForgeError {
  return new ForgeError("CANCELLED", `Stopped after ${moved.length} tickets. Those are on the server.`, {
    details: { moved },
    next: [{ tool: "push_local_tickets", why: "again for the others" }],
  });
}

export function partlyPushed(error: ForgeError, moved: readonly PushedId[]): ForgeError {
  return new ForgeError(error.code, `${moved.length} tickets were copied before this: ${error.message}`, {
    details: { ...error.details, moved },
    next: [...(error.next ?? []), { tool: "push_local_tickets", why: "again for the others; none is copied twice" }],
    cause: error,
  });
}
