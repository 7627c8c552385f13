import type { Verification } from "../../../commons/evidence/checks.ts";
import { isSignedBy, type Principal } from "../../../kernel/principal.ts";
import { machineName } from "../../../platform/host/machine-name.ts";

/**
 * Whether Forge ran it here, for this user. With a team, the name of a machine is only what a client says, but whose record it is
 * the server knows.
 */
export function isOwnRun({ by, machine }: Pick<Verification, "by" | "machine">, principal: Principal): boolean {
  return machine === machineName() && isSignedBy(by, principal);
}
