import type { Ledger, TeamLedger } from "../../../commons/ledger/index.ts";
import type { People } from "../../../commons/people.ts";

/** What a request about the ledger needs: locally the project's ledger is read, on a server the team's is added to as well. */
export type ActivityRouteServices = { ledger: Pick<Ledger, "latest"> & Pick<TeamLedger, "take">; people: People };
