/** What a caller may do, per toolset: `tickets:read`, `tickets:write`. */
export type Scope = `${string}:${"read" | "write"}`;

/** Who calls. On a laptop, the user of the process; on a server, the owner of a token. */
export type Principal = {
  kind: "local" | "user";
  id: string;
  name: string;
  /** The assistant that acts for the principal, as its client named itself. */
  agent?: string;
  /** The connection: tells two assistants of one name apart. Absent without one. */
  instance?: string;
  /**
   * A person gives the command, on a terminal, and no assistant. Never for calls over MCP. On a server the client says so, and
   * it only counts for what is the person's own.
   */
  atKeyboard?: true;
  /** An assistant whose client is not known to have file tools of its own, and so changes files with Forge's. */
  writesThroughForge?: true;
  /** An assistant whose client lets it read and write files of the project's folder only. */
  isConfinedToProject?: true;
  /** On a server: the client says that the text is the principal's own, and not what others told it to write. */
  ownWords?: true;
  scopes: readonly Scope[] | "all";
  /** The connection may not change anything, whatever the scopes are. */
  readOnly?: true;
  /** On a server: the request is of the kind that forge-cli 1.0.1 sends; it is answered in the shapes that it knows. */
  legacyClient?: true;
  /** On a server: their role in the team, and the scopes that it allows with any token. */
  role?: { name: string; scopes: readonly Scope[] };
};

export function localPrincipal(name: string, agent?: string, instance?: string): Principal {
  return {
    kind: "local",
    id: `local:${name}`,
    name,
    scopes: "all",
    ...(agent && { agent }),
    ...(instance && { instance }),
  };
}

export function allows(principal: Principal, scope: Scope): boolean {
  if (principal.readOnly && scope.endsWith(":write")) return false;
  return principal.scopes === "all" || principal.scopes.includes(scope);
}

/**
 * Who did it, as records keep it: the name, and after a slash the assistant. A slash within a name is written as another
 * character, so that nobody can be called like somebody else's assistant.
 */
export function signatureOf({ name, agent }: Pick<Principal, "name" | "agent">): string {
  const own = signedName(name);
  return agent ? `${own}/${agent}` : own;
}

/** Whether a record has the signature of this person or one of their assistants. */
export function isSignedBy(signature: string, { name }: Pick<Principal, "name">): boolean {
  const own = signedName(name);
  return signature === own || signature.startsWith(`${own}/`);
}

function signedName(name: string): string {
  return name.replaceAll("/", "\u2215");
}
