export { Guard } from "./guard.ts";
export type { Scope } from "./guarded-change.ts";
export { Seal } from "./seal.ts";
