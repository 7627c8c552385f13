export { HeldLease } from "./held-lease.ts";
export { type Claim, type Lease, Leases } from "./leases.ts";
export { leaseMigrations } from "./schema.ts";
