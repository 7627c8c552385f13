export type { Scope } from "./action.ts";
export { Guard } from "./guard.ts";
export { Seal } from "./seal.ts";
