import { ForgeError } from "../../kernel/errors.ts";

export function leaseBusy(name: string, holder: string | undefined, waitedMs: number): ForgeError {
  const by = holder === undefined ? "others are waiting for it" : `${holder} has it`;
  return new ForgeError(
    "CONFLICT_ERROR",
    `${name} was not available within ${Math.ceil(waitedMs / 1000)} s: ${by}. Nothing was changed.`,
    {
      details: { lease: name, ...(holder !== undefined && { holder }) },
      next: ["Try again in a moment, or wait longer."],
    },
  );
}

export function leaseLost(
  name: string,
  token: number,
  now: { token: number; holder: string | null } | undefined,
): ForgeError {
  const why = now && now.token !== token ? `${now.holder ?? "another"} has taken it since` : "it was released";
  return new ForgeError("CONFLICT_ERROR", `${name} is no longer held: ${why}. Nothing was changed.`, {
    details: { lease: name, token, ...(now && { currentToken: now.token }) },
    next: ["Check what was changed since, then claim it again."],
  });
}

export function waitCancelled(name: string): ForgeError {
  return new ForgeError("CANCELLED", `Waiting for ${name} was cancelled.`);
}
