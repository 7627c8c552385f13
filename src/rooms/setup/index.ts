export { openSetup } from "./service/open.ts";
export type { SetupRequest } from "./service/request.ts";
export type { FileChange, FoundClient, Setup, SetupDesk, SetupPlan } from "./service/setup.ts";
