import type { Role, Team, User } from "../../../commons/people.ts";
import type { Scope } from "../../../kernel/principal.ts";

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
export type PendingDevice = {
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
