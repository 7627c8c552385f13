import { ForgeError } from "../../../kernel/errors.ts";

const setSession = { tool: "forge_set_session", input: { project_id: "ID" }, why: "to set a default project" };

/** `hasConnection`: the caller's requests belong together, so that a session needs no id. */
export function missingDefault(field: "project_id" | "build_id", hasConnection: boolean): ForgeError {
  const why = hasConnection
    ? "no session is set"
    : "requests without a connection have no session of their own, and no session_id was given";
  return new ForgeError("VALIDATION_ERROR", `${field} is missing: ${why}.`, {
    details: { field },
    next: [
      `Pass ${field}.`,
      setSession,
      ...(hasConnection ? [] : ["Then pass the session_id of its answer with each call."]),
    ],
  });
}

export function sessionNotFound(): ForgeError {
  return new ForgeError("NOT_FOUND", "Session not found: it has expired, was cleared, or belongs to another user.", {
    next: [{ ...setSession, why: "to start another" }],
  });
}
