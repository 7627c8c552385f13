export type { Scope } from "./guarded-change.ts";
export { Guard } from "./guard.ts";
export { Seal } from "./seal.ts";
