export { openSetup } from "./open.ts";
export type { SetupRequest } from "./request.ts";
export type { FileChange, FoundClient, Setup, SetupPlan } from "./setup.ts";
