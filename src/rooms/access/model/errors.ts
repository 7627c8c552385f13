import type { Role } from "../../../commons/people.ts";
import type { Action } from "../../../kernel/action.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { visible } from "../../../kernel/text/visible.ts";

const askForReset = "Ask an admin of your team for a link to set a new password.";

/** With how long the account or the address is locked, if this failure was one too many. */
export function wrongSignIn(lockedMs = 0): ForgeError {
  const seconds = Math.ceil(lockedMs / 1000);
  return new ForgeError("AUTH_FAILED", "Wrong email or password.", {
    ...(seconds > 0 && { details: { retryAfterSeconds: seconds } }),
    next: [`Check both and try again${seconds > 0 ? ` in ${waitText(seconds)}` : ""}.`, `Forgot it? ${askForReset}`],
  });
}

export function lockedOut(leftMs: number): ForgeError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new ForgeError("AUTH_FAILED", `Too many failed attempts. Try again in ${waitText(seconds)}.`, {
    details: { retryAfterSeconds: seconds },
    next: ["Wait, then try again."],
  });
}

/** In seconds up to two minutes, in minutes beyond. */
function waitText(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

export function wrongSetupCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This setup link is not valid.", {
    next: ["Use the link that the server printed when it last started, or sign in if it is already set up."],
  });
}

export function olderSetupCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The server has restarted since and printed a newer setup link.", {
    next: ["Use the link from the last start."],
  });
}

export function wrongReset(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This password link was already used or replaced, or it has expired.", {
    next: [askForReset],
  });
}

export function wrongInvitation(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This invitation was already used or withdrawn, or it has expired.", {
    next: ["Ask an admin of the team for a new one."],
  });
}

export function wrongUserCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This code was already used, has expired or is unknown.", {
    next: [
      "Compare it with the code in your terminal.",
      { command: "login", why: "to get a new code, if it has expired" },
    ],
  });
}

export function wrongRefreshToken(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The refresh token was already used or revoked, or it has expired.", {
    next: [signInAgain],
  });
}

export const signInAgain: Action = { command: "login", why: "to sign in again" };

export function notInvited(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This account is not a member of any team here.", {
    next: ["Ask an admin of the team for an invitation to this email address."],
  });
}

export function needsSession(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "You are not signed in, or your session has ended.", {
    next: ["Sign in and try again."],
  });
}

export function needsScope(scope: Scope, role: Role, roleHasIt: boolean): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${roleHasIt ? "This token" : `The role ${role}`} lacks ${scope}.`, {
    details: { scope, role },
    next: [
      roleHasIt
        ? { tool: "create_token", input: { name: "NAME", scopes: [scope] }, why: "to create a token that has it" }
        : "Ask an admin of the team to do it, or to give you another role.",
    ],
  });
}

export function needsAdmin(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only an admin of the team can do this.", {
    next: ["Ask an admin of the team."],
  });
}

export function needsPerson(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only a user who has signed in can do this; an API token cannot.", {
    next: [{ command: "login", why: "to sign in as yourself" }],
  });
}

export function needsEveryTeam(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "This user is also in a team that you are not an admin of.", {
    next: [
      "Ask someone who is an admin of all their teams.",
      { command: "serve --reset-admin EMAIL", why: "on the server's machine to create the link there" },
    ],
  });
}

export function signsInElsewhere(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "This user signs in with the OpenID provider and has no password here.", {
    next: [
      "Ask them to sign in with the provider.",
      { command: "serve --reset-admin EMAIL", why: "on the server's machine, if the provider is gone" },
    ],
  });
}

export function needsFirstTeam(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only an admin of the server's first team can see this.", {
    next: ["Ask an admin of that team, or leave out server=true to see your own team's audit log."],
  });
}

export function notInTeam(slug: string): ForgeError {
  const shown = visible(slug.slice(0, 64));
  return new ForgeError("PERMISSION_DENIED", `You are not in a team ${shown} on this server.`, {
    details: { team: shown },
    next: [{ tool: "list_teams", why: "to see your teams" }],
  });
}

export function takenName(name: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `The team already has or had a member named "${visible(name.slice(0, 100))}".`,
    {
      next: ["Choose another name, such as one with your surname."],
    },
  );
}

export function notFound(what: string, id: string): ForgeError {
  const shown = visible(id.slice(0, 64));
  return new ForgeError("NOT_FOUND", `There is no ${what} ${shown}.`, { details: { id: shown } });
}

export function lastAdmin(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "This is the team's last admin. Nothing was changed.", {
    next: ["Make another member an admin first."],
  });
}

export function projectExists(name: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `The team already has a project "${name}".`, {
    next: ["Choose another name, or use that project."],
  });
}

export function invitedElsewhere(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "This invitation is for another email address.", {
    next: ["Use the address it was sent to."],
  });
}

export function accountJustCreated(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "This account was created at the same moment.", { next: ["Try again."] });
}

export function alreadyMember(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "This account is already in the team.", {
    next: ["Sign in. Another person can still use the invitation."],
  });
}

export function wrongEmail(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Not a valid email address.", { next: ["Use one like ada@example.com."] });
}

export function wrongPassword(minLength: number, maxLength: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `A password must have ${minLength} to ${maxLength} characters.`, {
    next: ["Choose another one; a few random words make a good password."],
  });
}

export function wrongName(what: string, maxLength: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The ${what} must have 1 to ${maxLength} visible characters.`, {
    next: [`Choose another ${what}.`],
  });
}

export function slashInName(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The name must not contain a slash.", {
    next: ["Choose a name without a slash."],
  });
}

export function wrongScopes(known: readonly Scope[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A token needs at least one known scope, each given once.", {
    next: [`The scopes are ${known.join(", ")}.`],
  });
}

export function tooManyTokens(max: number): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `You have as many API tokens as a member may have: ${max}.`, {
    next: ["Revoke tokens that you no longer use."],
  });
}

export function wrongDays(max: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `A token lasts 1 to ${max} days.`, {
    next: ["Choose another number of days, or leave it out for a token that never expires."],
  });
}

export function providerFailed(why: string, cause?: unknown): ForgeError {
  return new ForgeError("AUTH_FAILED", `The sign-in with the provider failed: ${why}.`, {
    next: ["Try again. If it keeps failing, tell the person who runs this server."],
    cause,
  });
}

export function emailNotVerified(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The provider has not verified your email address.", {
    next: ["Verify it at the provider, or sign in with a password."],
  });
}

export function setupLinkUsed(): ForgeError {
  return new ForgeError("NOT_FOUND", "This setup link has already been used: the server has an admin.", {
    next: ["Sign in, or ask that admin for an invitation."],
  });
}
