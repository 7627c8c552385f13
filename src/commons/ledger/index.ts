export { Ledger } from "./ledger.ts";
export type { LedgerEntry } from "./model.ts";
export type { OnceDone, OnceKeys } from "./once.ts";
export { ledgerMigrations } from "./schema.ts";
export { Broadcast } from "./team/broadcast.ts";
export { TeamLedger, TeamLedgers } from "./team/team-ledger.ts";
