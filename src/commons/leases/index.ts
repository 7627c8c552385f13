export { HeldLease } from "./held-lease.ts";
export { type Lease, Leases } from "./leases.ts";
export { leaseMigrations } from "./schema.ts";
