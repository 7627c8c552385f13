import { ForgeError } from "../../../kernel/errors.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { visible } from "../../../kernel/visible.ts";
import type { Role } from "../service/ports.ts";

/** With how long the account or the address is locked, where this failure was one too many. */
export function wrongSignIn(lockedMs = 0): ForgeError {
  const seconds = Math.ceil(lockedMs / 1000);
  return new ForgeError("AUTH_FAILED", "The email address and the password do not fit together.", {
    ...(seconds > 0 && { details: { retryAfterSeconds: seconds } }),
    next: [
      `Check both and try again${seconds > 0 ? ` in ${waitOf(seconds)}` : ""}. Where the password is forgotten, an admin of your team makes a link for a new one: forge reset-password EMAIL.`,
    ],
  });
}

export function lockedOut(leftMs: number): ForgeError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new ForgeError("AUTH_FAILED", `Too many failed attempts. Try again in ${waitOf(seconds)}.`, {
    details: { retryAfterSeconds: seconds },
    next: ["Wait, then try again with the right one."],
  });
}

/** As people say it: who has to wait a quarter of an hour does not count its seconds. */
function waitOf(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

export function wrongSetupCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This setup link is not, or no longer, valid.", {
    next: ["Use the newest link that the server printed when it started, or sign in if it is set up already."],
  });
}

export function olderSetupCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The server was started again since, and printed a newer setup link.", {
    next: ["Use the link that the last start printed."],
  });
}

export function wrongReset(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This link for a new password is used, replaced, expired or unknown.", {
    next: ["Ask an admin of your team for a new one: forge reset-password EMAIL."],
  });
}

export function wrongInvitation(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This invitation is used, withdrawn, expired or unknown.", {
    next: ["Ask an admin of the team for a new one."],
  });
}

export function wrongUserCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This code is used, expired or unknown.", {
    next: ["Compare it with the one on the device, or start the sign-in there again: forge login."],
  });
}

export function wrongToken(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The refresh token is used, expired, ended or unknown.", {
    next: ["Sign in again: forge login."],
  });
}

export function notInvited(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This account belongs to no member of a team here.", {
    next: ["Ask an admin of the team for an invitation to this email address."],
  });
}

export function signInFirst(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "Nobody is signed in, or the session has ended.", {
    next: ["Sign in and try again."],
  });
}

export function needsScope(scope: Scope, role: Role, roleHasIt: boolean): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `This needs ${scope}, which ${roleHasIt ? "this token" : `a ${role}`} lacks.`,
    {
      details: { scope, role },
      next: [
        roleHasIt
          ? `Use a token that has it: \`forge token create NAME --scope ${scope}\` makes one.`
          : "Ask an admin of the team to do it, or to give you another role.",
      ],
    },
  );
}

export function needsAdmin(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only an admin of the team may do this.", {
    next: ["Ask an admin of the team."],
  });
}

export function needsPerson(): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    "Only a person's own sign-in may do this, no token that was made by name.",
    {
      next: ["Sign in as a person first: forge login."],
    },
  );
}

export function needsEveryTeam(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "This person is also in a team that you are no admin of.", {
    next: [
      "Have somebody make the link who is an admin of all their teams, or who runs the server: forge serve --reset-admin EMAIL.",
    ],
  });
}

export function needsFirstTeam(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only an admin of the server's first team may see this.", {
    next: ["Ask an admin of that team, or leave out server=true for your own team's record."],
  });
}

export function notInTeam(slug: string): ForgeError {
  const shown = visible(slug.slice(0, 64));
  return new ForgeError("PERMISSION_DENIED", `You are not in a team ${shown} here.`, {
    details: { team: shown },
    next: ["Choose one of your teams: `forge team list` shows them."],
  });
}

export function takenName(name: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Somebody in the team is called "${visible(name.slice(0, 100))}" already.`, {
    next: ["Give another name, such as one with your surname: people tell each other apart by it."],
  });
}

export function nothingSuch(what: string, id: string): ForgeError {
  const shown = visible(id.slice(0, 64));
  return new ForgeError("NOT_FOUND", `There is no ${what} ${shown}.`, { details: { id: shown } });
}

export function lastAdmin(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "This is the team's last admin. Nothing was changed.", {
    next: ["Make somebody else an admin first."],
  });
}

export function conflict(message: string, suggestion: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", message, { next: [suggestion] });
}

export function invalid(message: string, suggestion: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", message, { next: [suggestion] });
}
