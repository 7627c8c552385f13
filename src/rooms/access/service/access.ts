import type { Database } from "../../../platform/db/database.ts";
import { Lockouts } from "../identity/lockouts.ts";
import { type PasswordCost, Passwords } from "../identity/passwords.ts";
import { Recovery } from "../identity/recovery.ts";
import { Sessions } from "../identity/sessions.ts";
import { SignIn } from "../identity/sign-in.ts";
import { AccessStore } from "../store/store.ts";
import { Invitations } from "../teams/invitations.ts";
import { Members } from "../teams/members.ts";
import { Projects } from "../teams/projects.ts";
import { Registration } from "../teams/registration.ts";
import { Teams } from "../teams/teams.ts";
import { Devices } from "../tokens/devices.ts";
import { Grants } from "../tokens/grants.ts";
import { RefreshTokens } from "../tokens/refresh-tokens.ts";
import { Tokens } from "../tokens/tokens.ts";
import { Audit } from "./audit.ts";

export type AccessOptions = {
  database: Database<unknown>;
  /** The server's clock; a client's clock is never used. */
  now?: () => number;
  passwordCost?: PasswordCost;
  /** Waits between guesses of a password. */
  pause?: (ms: number) => Promise<unknown>;
};

/**
 * Who may do what on a team's server, by noun. Secrets go in and out as text once and are stored as hashes. Errors:
 * AUTH_FAILED for a wrong secret (always with the same message), PERMISSION_DENIED for a missing right, NOT_FOUND for what
 * does not exist or is not the caller's.
 */
export type Access = ReturnType<typeof makeAccess>;

/** Access to a team's server, on the server's own database. */
export function makeAccess({ database, now = Date.now, passwordCost, pause }: AccessOptions) {
  const store = new AccessStore(database, now);
  const audit = new Audit(store);
  const grants = new Grants(store);
  const lockouts = new Lockouts(store);
  const sessions = new Sessions(store);
  const passwords = new Passwords(passwordCost);
  const invitations = new Invitations(store, grants, audit);
  const signIn = new SignIn({ store, grants, sessions, invitations, lockouts, passwords, audit, pause });
  return {
    registration: new Registration(store, invitations, signIn, passwords, audit),
    signIn,
    sessions,
    recovery: new Recovery({ store, grants, sessions, signIn, lockouts, passwords, audit }),
    invitations,
    members: new Members(store, grants, sessions, audit),
    projects: new Projects(store, audit),
    teams: new Teams(store, grants, audit),
    devices: new Devices(store, grants, sessions, lockouts, audit),
    tokens: new Tokens(store, grants, audit),
    refreshTokens: new RefreshTokens(store, grants, audit),
    audit,
    revocations: store.revocations,
  };
}
