import { type Role, roles, type SignedIn } from "../../../commons/people.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { needsAdmin, needsScope } from "./errors.ts";

const reads = [
  "tickets:read",
  "registry:read",
  "governance:read",
  "activity:read",
  "access:read",
] as const satisfies Scope[];
const work = [
  ...reads,
  "tickets:write",
  "registry:write",
  "governance:write",
  "activity:write",
] as const satisfies Scope[];
const all = [...work, "access:write"] as const satisfies Scope[];

const scopesOf: Record<Role, readonly Scope[]> = { viewer: reads, member: work, admin: all };

/** Verifications count as those of CI. Only an API token has it, and only an admin creates one. */
export const ciScope = "proof:write" satisfies Scope;

/** What a person who signs in can be granted. */
export const signInScopes: readonly Scope[] = all;

/** Every scope that an API token can have. */
export const allScopes: readonly [Scope, ...Scope[]] = [...all, ciScope];

export function roleNamed(text: string): Role {
  const role = roles.find((known) => known === text);
  if (role === undefined) throw new Error("a member has a role that does not exist");
  return role;
}

/** What a token allows, within what the role allows. */
export function scopesWithin(role: Role, granted: readonly string[]): readonly Scope[] {
  const own: readonly Scope[] = role === "admin" ? [...scopesOf[role], ciScope] : scopesOf[role];
  return own.filter((scope) => granted.includes(scope));
}

/** The most that a user in this role may do, with any token. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return scopesOf[role];
}

export function requireScope(by: SignedIn, scope: Scope): void {
  if (!by.scopes.includes(scope)) throw needsScope(scope, by.role, scopesOf[by.role].includes(scope));
}

/** Both: the person must be an admin, and the token allow it. */
export function requireAdmin(by: SignedIn, scope: Scope): void {
  if (by.role !== "admin") throw needsAdmin();
  requireScope(by, scope);
}
