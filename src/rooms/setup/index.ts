export { openSetup } from "./open.ts";
export type { SetupRequest } from "./request.ts";
export type { FileChange, FoundClient, Setup, SetupDesk, SetupPlan } from "./setup.ts";
