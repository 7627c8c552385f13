export type { Action, Scope } from "./action.ts";
export type { Approval } from "./approvals.ts";
export { Guard } from "./guard.ts";
export { guardMigrations } from "./schema.ts";
export { Seal } from "./seal.ts";
