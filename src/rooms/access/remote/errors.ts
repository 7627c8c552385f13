import type { ServerAddress } from "../../../commons/remote/index.ts";
import type { Action } from "../../../kernel/action.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";
import { visible } from "../../../kernel/text/visible.ts";

/** A server's refusal, for a user who typed a command and knows nothing of requests. */
export function explainRefusal(error: unknown, address: ServerAddress): unknown {
  if (!(error instanceof ForgeError)) return error;
  if (isFromAnotherServer(error)) return notAForgeServer(error, address);
  const issues = error.code === "VALIDATION_ERROR" ? error.details?.["issues"] : undefined;
  return Array.isArray(issues) && issues.length > 0 ? rejectedInput(issues.map(String)) : error;
}

/** Whether a 404 is not from a Forge server, which says what was not found. */
export function isFromAnotherServer({ code, details }: ForgeError): boolean {
  return code === "NOT_FOUND" && details?.["status"] !== undefined;
}

function rejectedInput(issues: string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The server does not accept this: ${issues.join("; ")}.`, {
    details: { issues },
    next: ["Correct it and try again; --help shows what the command takes."],
  });
}

function notAForgeServer({ details }: ForgeError, { origin }: ServerAddress): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `The server at ${origin} does not support this: it is not a team's Forge server.`,
    {
      ...(details && { details }),
      next: ["Check the address. If it is right, use that server's own web pages."],
    },
  );
}

export function noServerAt({ api }: ServerAddress, { details }: ForgeError): ForgeError {
  return new ForgeError("NOT_FOUND", `There is no Forge server at ${api}.`, {
    ...(details && { details }),
    next: ["Check the address. If the server is below a path, give the full address, like https://host/forge/api."],
  });
}

export function garbledAnswer(expected: string): ForgeError {
  return new ForgeError("NETWORK_ERROR", `The server answered, but not with ${expected}.`, {
    details: { reason: "garbled" },
    next: [
      "Check that the address is a Forge server's and ends in /api. The server may also run a different version of Forge.",
    ],
  });
}

export function codeExpired(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The code expired before it was approved.", {
    next: [{ command: "login", why: "to get a new code, and approve it in time" }],
  });
}

export function loginDenied(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The sign-in was denied in the browser.", {
    next: [{ command: "login", why: "to try again, if that was a mistake" }],
  });
}

export function loginStopped(): ForgeError {
  return new ForgeError("CANCELLED", "The sign-in was stopped. Nothing was saved.");
}

export function notSignedIn(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "You are not signed in to a Forge server.", {
    next: [{ command: "login --url https://HOST", why: "to sign in" }],
  });
}

const giveUpOther: Action = "To replace that sign-in, add --replace to this command.";

/** `valid` is why it could not be checked, where that failed. */
export function alreadySignedIn(server: string, email: string, valid: true | ForgeError): ForgeError {
  const details = { server, email };
  if (valid === true) {
    return new ForgeError(
      "CONFLICT_ERROR",
      `You are already signed in to ${server} as ${email}, and it is still valid.`,
      {
        details,
        next: [giveUpOther, { command: "logout", why: "to sign out" }, { tool: "whoami", why: "to see who you are" }],
      },
    );
  }
  const message = `You are signed in to ${server} as ${email}, but Forge cannot check whether that is still valid. ${valid.message}`;
  return new ForgeError(valid.code, message, {
    details: { ...valid.details, ...details },
    next: [giveUpOther, ...(valid.next ?? [])],
  });
}

export function wrongSlug(team: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${team.slice(0, 64)}" is not a team's short name.`, {
    next: [
      "Short names have lowercase letters, digits and -.",
      { tool: "list_teams", why: "to see those of your teams" },
      "Without --team, you choose on the page where you approve.",
    ],
  });
}

export function notYourTeam(team: string, teams: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `You are not in the team ${team}. Your teams: ${visible(teams.join(", "))}.`, {
    details: { team, teams },
    next: [...didYouMean(team, teams), "Ask an admin of the team for an invitation."],
  });
}

/** It would be ignored without a word otherwise, and the project used without the team's tickets. */
export function unusableProposal(file: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} cannot be used: it has no server and team.`, {
    details: { file, expected: '{ "server": "https://forge.example.com", "team": "engines" }' },
    next: ["Correct it, or remove it."],
  });
}

/** The token is only ever sent to the server that issued it, whatever a file in the repository says. */
export function proposedElsewhere({ origin, team }: { origin: string; team: string }, signedIn?: string): ForgeError {
  const now = signedIn === undefined ? "you are not signed in" : `you are signed in to ${signedIn}`;
  return new ForgeError("AUTH_REQUIRED", `The repository proposes team ${team} on ${origin}, but ${now}.`, {
    details: { proposed: origin, team },
    next: [
      {
        command: `login --url ${origin}${signedIn === undefined ? "" : " --replace"}`,
        why: "if you know this server, to sign in to it",
      },
      ...(signedIn === undefined
        ? []
        : [{ command: "link --team SLUG", why: `to link the project to a team on ${signedIn} instead` }]),
    ],
  });
}

export function proposalNeedsPerson({ origin, team }: { origin: string; team: string }): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `The repository proposes team ${team} on ${origin}; a person confirms that.`,
    {
      details: { proposed: origin, team },
      next: [
        { command: "link", why: "on a terminal, to be asked" },
        { command: `link --team ${team}`, why: "to name the team yourself" },
      ],
    },
  );
}

export function tokenIsSet(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "FORGE_TOKEN is set and takes precedence over a sign-in.", {
    next: ["Unset FORGE_TOKEN to sign in as yourself, or keep using the token."],
  });
}

/** The variable is the user's to unset. A saved sign-in is something else, and stays. */
export function tokenStays(): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    "Logging out does not revoke the token in FORGE_TOKEN. Nothing was changed.",
    {
      next: [
        { tool: "list_tokens", why: "to see the id of the token" },
        { tool: "revoke_token", input: { id: "ID" }, why: "to revoke it" },
        "To remove a sign-in that is saved on this machine, unset FORGE_TOKEN and log out again.",
      ],
    },
  );
}

export function noSuchMember(email: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Nobody in your team has the address ${visible(email.slice(0, 254))}.`, {
    next: ["Check the address.", { tool: "create_invite", why: "to invite a new member" }],
  });
}

export function serverUnknown(): ForgeError {
  return new ForgeError("CONFIG_ERROR", "No Forge server is configured.", {
    next: [
      { command: "login --url https://HOST", why: "to name it, or set FORGE_API_URL" },
      { command: "serve", why: "to start a server of your own" },
    ],
  });
}
