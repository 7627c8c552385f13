/** What a caller may do, per toolset: `tickets:read`, `tickets:write`. */
export type Scope = `${string}:${"read" | "write"}`;

/** Who calls. On a laptop this is the person whose process it is; on a server, the owner of a token. */
export type Principal = {
  kind: "local" | "user";
  id: string;
  name: string;
  /** The assistant that speaks for the principal, as its client named itself. */
  agent?: string;
  /** Tells two assistants of one name apart: the connection they speak on. Absent where there is none to tell by. */
  instance?: string;
  /**
   * A person gives the command, on a terminal; no assistant speaks for them. Never so for what comes over MCP. On a server it
   * is what the client says, and goes no further than what is the person's own.
   */
  atKeyboard?: true;
  /** An assistant whose client is not known to have file tools of its own: what it changes, it changes with Forge's. */
  writesThroughForge?: true;
  /** On a server: the client vouches that what is written is the principal's own, and not what others told it to write. */
  ownWords?: true;
  scopes: readonly Scope[] | "all";
  /** On a server: what they are in the team, and the most that this allows, whatever token they use. */
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
  return principal.scopes === "all" || principal.scopes.includes(scope);
}
