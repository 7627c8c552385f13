import type { Scope } from "../kernel/principal.ts";

/** Who is who on a team's server. The access room knows them; requests carry them to every other room. */

/** What a member of a team may do: everything, work with what the team has, or read. */
export const roles = ["admin", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

export type User = { id: string; email: string; displayName: string };
export type Team = { id: string; name: string; slug: string };

/** Who a request comes from, once its token or cookie was understood. */
export type SignedIn = {
  user: User;
  team: Team;
  role: Role;
  /** What the token allows, within what the role allows. */
  scopes: readonly Scope[];
  tokenId: string;
  /** A person in a browser, by the cookie of their sign-in: no token, and no program that holds one. */
  browser?: { sessionHash: string };
  /** A program with an API token. No person signed in for this. */
  apiToken?: true;
};

/** Where a request comes from, for limits and the audit record. */
export type Origin = { address: string; agent?: string };

/** The members of the caller's team. */
export type People = {
  /** The name a ticket is assigned by; undefined for anyone who is not in the team. */
  nameOf(userId: string): Promise<string | undefined>;
};
