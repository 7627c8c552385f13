export { HeldLease } from "./held-lease.ts";
export { type CurrentLease, type JoinedLease, type Lease, Leases } from "./leases.ts";
