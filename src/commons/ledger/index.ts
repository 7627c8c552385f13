import { defineToolset } from "../../kernel/toolset.ts";
import { activityResource, type LedgerServices } from "./resource.ts";

export { Ledger } from "./ledger.ts";
export { type LedgerEntry, shown as shownEntry } from "./model.ts";
export type { OnceDone, OnceKeys } from "./once.ts";
export type { LedgerServices } from "./resource.ts";
export { activityRoute, relayRoute } from "./routes.ts";
export { ledgerMigrations } from "./schema.ts";
export { Broadcast } from "./team/broadcast.ts";
export { TeamLedger } from "./team/team-ledger.ts";

export const activityToolset = defineToolset<LedgerServices>({
  name: "activity",
  title: "Activity",
  guidance: "Read forge://activity to see what was done in this project lately, by whom, and how it ended.",
  tools: [],
  prompts: [],
  resources: [activityResource],
});
