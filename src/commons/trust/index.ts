export type { Pinned, Runnable } from "./runnable.ts";
export { Trust } from "./trust.ts";
