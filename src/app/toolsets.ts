import { activityToolset } from "../commons/ledger/index.ts";
import type { Toolset } from "../kernel/toolset.ts";
import { ticketsToolset } from "../rooms/tickets/index.ts";
import { workbenchToolset } from "../rooms/workbench/index.ts";
import type { Services } from "./local/program.ts";

/** What every room offers, in the order it is listed. */
export const toolsets: Toolset<Services>[] = [ticketsToolset, workbenchToolset, activityToolset];
