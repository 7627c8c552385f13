import type { ServerHouse, Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/definitions/room.ts";
import { LocalArtifacts } from "./artifacts/local-artifacts.ts";
import { StoredContracts } from "./contracts/stored-contracts.ts";
import type { GovernanceRouteServices } from "./http/services.ts";
import { steadyClock } from "./model/steady-clock.ts";
import { LocalBuilds } from "./projects/local-builds.ts";
import { LocalProjects } from "./projects/local-projects.ts";

/** Each team's contracts, projects and artifacts on a server. No contract or artifact is kept in memory between requests. */
export function serveGovernance({ database, ledgerOf }: ServerHouse): ServedRoom<Visit, GovernanceRouteServices> {
  const now = steadyClock();
  const sweptAt = new Map<string, number>();
  return {
    services({ signedIn }) {
      if (!signedIn) throw new Error("a public route asked for a team's contracts");
      const team = signedIn.team.id;
      const parts = { database, ledger: ledgerOf(team), team };
      return {
        contracts: new StoredContracts(parts),
        projects: new LocalProjects(parts),
        builds: new LocalBuilds(parts),
        artifacts: new LocalArtifacts({ ...parts, now, sweptAt }),
      };
    },
  };
}
