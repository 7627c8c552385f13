import { ForgeError } from "../../kernel/errors.ts";
import type { Scope } from "../../kernel/principal.ts";
import { visible } from "../../kernel/visible.ts";
import type { Role } from "./ports.ts";

export function wrongSignIn(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The email address and the password do not fit together.", {
    suggestions: ["Check both and try again; an admin of the team can send a new invitation."],
  });
}

export function lockedOut(leftMs: number): ForgeError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new ForgeError("AUTH_FAILED", `Too many failed attempts. Try again in ${seconds} seconds.`, {
    details: { retryAfterSeconds: seconds },
    suggestions: ["Wait, then try again with the right one."],
  });
}

export function wrongSetupCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This setup link is not, or no longer, valid.", {
    suggestions: ["Use the newest link that the server printed when it started, or sign in if it is set up already."],
  });
}

export function wrongInvitation(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This invitation is used, withdrawn, expired or unknown.", {
    suggestions: ["Ask an admin of the team for a new one."],
  });
}

export function wrongUserCode(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This code is used, expired or unknown.", {
    suggestions: ["Compare it with the one on the device, or start the sign-in there again: forge login."],
  });
}

export function wrongToken(): ForgeError {
  return new ForgeError("AUTH_FAILED", "The refresh token is used, expired, ended or unknown.", {
    suggestions: ["Sign in again: forge login."],
  });
}

export function notInvited(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This account belongs to no member of a team here.", {
    suggestions: ["Ask an admin of the team for an invitation to this email address."],
  });
}

export function signInFirst(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "Nobody is signed in, or the session has ended.", {
    suggestions: ["Sign in and try again."],
  });
}

export function needsScope(scope: Scope, role: Role): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `This needs the scope ${scope}.`, {
    details: { scope, role },
    suggestions: ["Ask an admin of the team, or use a token that has the scope."],
  });
}

export function needsAdmin(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only an admin of the team may do this.", {
    suggestions: ["Ask an admin of the team."],
  });
}

export function needsPerson(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "A token that was made by name cannot make or end others.", {
    suggestions: ["Sign in as a person first: forge login."],
  });
}

export function nothingSuch(what: string, id: string): ForgeError {
  const shown = visible(id.slice(0, 64));
  return new ForgeError("NOT_FOUND", `There is no ${what} ${shown}.`, { details: { id: shown } });
}

export function lastAdmin(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "This is the team's last admin. Nothing was changed.", {
    suggestions: ["Make somebody else an admin first."],
  });
}

export function conflict(message: string, suggestion: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", message, { suggestions: [suggestion] });
}

export function invalid(message: string, suggestion: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", message, { suggestions: [suggestion] });
}
