export type { Scope } from "./action.ts";
export { Guard } from "./guard.ts";
export { guardMigrations } from "./schema.ts";
export { Seal } from "./seal.ts";
