import { hostname } from "node:os";

/** What tells this machine from others that may share a home with it. */
export function machineName(): string {
  return hostname();
}
