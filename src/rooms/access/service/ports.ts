import type { Origin, Role, SignedIn, Team, User } from "../../../commons/people.ts";
import type { Scope } from "../../../kernel/principal.ts";

export { type Origin, type Role, roles, type SignedIn, type Team, type User } from "../../../commons/people.ts";

export type Member = { user: User; role: Role; joinedAt: string };
export type TeamProject = { id: string; name: string; createdAt: string };

export type DeviceRequest = { deviceCode: string; userCode: string; expiresIn: number; interval: number };

/** RFC 8628's answers to a poll that is not yet, or never, a success. */
export type DeviceRefusal =
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  | "access_denied"
  | "invalid_device_code";

export type TokenPair = {
  accessToken: string;
  refreshToken: string;
  /** ISO 8601; of the access token. */
  expiresAt: string;
  user: User;
  team: Team;
};

/** A device that waits for a person, as the approval page shows it. */
export type WaitingDevice = {
  client: string;
  address: string;
  requestedAt: string;
  scopes: readonly Scope[];
  /** The slug of the team that it asks for; nothing says that there is one. */
  team?: string;
};

/** Good for one new password. */
export type ResetLink = { code: string; expiresAt: string };

export type TokenInfo = {
  id: string;
  name: string;
  owner: string;
  scopes: readonly Scope[];
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
};

export type NewToken = {
  name: string;
  scopes: readonly Scope[];
  /** Never expires where it is undefined. */
  days: number | undefined;
};

export type NewPerson = { email: string; displayName: string; password: string };

export type BrowserSession = { cookie: string; csrf: string; user: User };

export type AuditEntry = {
  seq: number;
  at: string;
  actor: string;
  action: string;
  target: string;
  details: Record<string, unknown>;
};

/**
 * Who may do what on a team's server. Secrets go in and out as text once and are kept as hashes. What does not fit is a
 * ForgeError: AUTH_FAILED for a wrong secret (the same words whatever was wrong), PERMISSION_DENIED for a missing right,
 * NOT_FOUND for what is not there or not the caller's.
 */
export interface Access {
  /** Told whenever people may do less than before: a token has ended, a member has left or has another role. */
  whenTakenAway(heard: () => void): void;

  /** The secret of the one-time setup link, made anew at each start while there is no user; undefined afterwards. */
  setupCode(): Promise<string | undefined>;
  setUp(code: string, admin: NewPerson, teamName: string, from: Origin): Promise<User>;

  /** With a password; locked out for a while after too many failures of one account or one address. */
  signIn(email: string, password: string, from: Origin): Promise<BrowserSession>;
  /** With an identity that a configured OpenID provider vouches for; only people who are members or invited get in. */
  signInWith(
    identity: { issuer: string; subject: string; email: string; displayName: string },
    from: Origin,
  ): Promise<BrowserSession>;
  /** The person behind a session cookie, with the token that forms must carry. */
  session(cookie: string): Promise<BrowserSession | undefined>;
  signOut(cookie: string): Promise<void>;
  /** The teams of the person behind a session, the one they joined first in front. */
  sessionTeams(cookie: string): Promise<Team[]>;

  /**
   * A link with which a member sets a new password, for an hour and one use. PERMISSION_DENIED where the member is also in a
   * team that the caller is no admin of.
   */
  resetLink(by: SignedIn, userId: string, from: Origin): Promise<ResetLink>;
  /** The same for any user, on the word of whoever runs the server. */
  hostResetLink(email: string): Promise<ResetLink>;
  /** Whose password a link sets; undefined where it is used, expired or unknown. */
  resetFor(code: string): Promise<User | undefined>;
  /** All that was signed in as this person is out. */
  resetPassword(code: string, password: string, from: Origin): Promise<User>;
  /** By somebody in a browser, with the old one; their other browsers are signed out. */
  changePassword(cookie: string, old: string, password: string, from: Origin): Promise<void>;

  invite(
    by: SignedIn,
    invitation: { role: Role; email?: string },
    from: Origin,
  ): Promise<{ code: string; id: string; expiresAt: string }>;
  invitations(by: SignedIn): Promise<{ id: string; role: Role; email?: string; expiresAt: string }[]>;
  withdrawInvitation(by: SignedIn, id: string, from: Origin): Promise<void>;
  /** What an invitation is for; undefined where it is used, expired or unknown. */
  invitation(code: string): Promise<{ team: Team; role: Role; email?: string } | undefined>;
  /** Adds the person; one who has an account gives that account's password. */
  accept(code: string, person: NewPerson, from: Origin): Promise<User>;

  members(by: SignedIn): Promise<Member[]>;
  setRole(by: SignedIn, userId: string, role: Role, from: Origin): Promise<Member>;
  /** Their tokens for this team end with it. The last admin stays. */
  removeMember(by: SignedIn, userId: string, from: Origin): Promise<void>;

  projects(by: SignedIn): Promise<TeamProject[]>;
  addProject(by: SignedIn, name: string, from: Origin): Promise<TeamProject>;
  renameProject(by: SignedIn, id: string, name: string, from: Origin): Promise<TeamProject>;
  removeProject(by: SignedIn, id: string, from: Origin): Promise<void>;

  /** Those that the caller may work in with this token. */
  teams(by: SignedIn): Promise<(Team & { role: Role })[]>;
  /** Another team on the same server, with the caller as its admin. */
  addTeam(by: SignedIn, name: string, from: Origin): Promise<Team>;

  /** A team may be asked for by its slug. */
  requestDevice(client: string, from: Origin, team?: string): Promise<DeviceRequest>;
  waitingDevice(userCode: string, from: Origin): Promise<WaitingDevice | undefined>;
  /**
   * The person's word; throws AUTH_FAILED for a code that is unknown, used or expired, and after too many of those. The
   * device works in the team with this id, else in the one that it asks for, else in the person's first.
   */
  decideDevice(
    cookie: string,
    userCode: string,
    decision: "approve" | "deny",
    from: Origin,
    teamId?: string,
  ): Promise<void>;
  /** One token pair for one approval, whoever asks at the same time. */
  redeemDevice(deviceCode: string, from: Origin): Promise<TokenPair | { refusal: DeviceRefusal; interval?: number }>;
  /** A new pair for a refresh token that was not used before; a used one ends the whole family, but for a short grace. */
  refresh(refreshToken: string, from: Origin): Promise<TokenPair>;

  /** Who a bearer token speaks for in a team (its own where none is named); undefined where it speaks for nobody there. */
  authenticate(bearer: string, teamId: string | undefined): Promise<SignedIn | undefined>;
  createToken(by: SignedIn, token: NewToken, from: Origin): Promise<TokenInfo & { secret: string }>;
  tokens(by: SignedIn): Promise<TokenInfo[]>;
  revokeToken(by: SignedIn, id: string, from: Origin): Promise<void>;
  /** Ends the token that a client signs out with, and its family. */
  endToken(bearer: string, from: Origin): Promise<void>;

  /**
   * Newest last. Each entry carries the hash of the one before; `intact` is false where the chain is broken. The server's own
   * book has what belongs to no team, for admins of the first one.
   */
  audit(by: SignedIn, limit: number, book?: "team" | "server"): Promise<{ entries: AuditEntry[]; intact: boolean }>;
}
