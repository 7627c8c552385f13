export { HeldLease } from "./held-lease.ts";
export { type CurrentLease, type Lease, Leases } from "./leases.ts";
export { leaseMigrations } from "./schema.ts";
