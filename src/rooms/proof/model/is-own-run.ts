import type { Verification } from "../../../commons/evidence/checks.ts";
import { isSignedBy, type Principal } from "../../../kernel/principal.ts";
import { machineName } from "../../../platform/host/machine-name.ts";

/** Whether Forge ran it here, for this user. Of a server's records that is only what some client says. */
export function isOwnRun({ by, machine }: Pick<Verification, "by" | "machine">, principal: Principal): boolean {
  return machine === machineName() && isSignedBy(by, principal);
}
