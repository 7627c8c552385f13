import { ForeignTexts } from "../../commons/guard/index.ts";
import type { House } from "../../commons/house.ts";
import type { Trust } from "../../commons/trust/index.ts";
import { type OpenRoom, once } from "../../kernel/definitions/room.ts";
import type { Database } from "../../platform/db/database.ts";
import { markGovernance } from "../../platform/state/marks.ts";
import { Artifacts } from "./artifacts/artifacts.ts";
import { LegacyArtifacts } from "./artifacts/legacy-artifacts.ts";
import { LocalArtifacts } from "./artifacts/local-artifacts.ts";
import { GovernanceCheck } from "./check/governance-check.ts";
import { MeasurementStore } from "./check/measurement-store.ts";
import { PolicyEditor } from "./check/policy-editor.ts";
import { ContractFiles } from "./contracts/contract-files.ts";
import type { GovernanceServices } from "./model/services.ts";
import { LocalBuilds } from "./projects/local-builds.ts";
import { LocalProjects } from "./projects/local-projects.ts";
import { Sessions } from "./sessions/sessions.ts";

/**
 * FORGEGUARD_LOCAL: everything is local. FORGEGUARD_URL: contracts, projects and builds come from that server. Otherwise
 * contracts are the folder's, and projects, builds and artifacts those of the team's server where the user works with one.
 */
export async function openGovernance(house: House): Promise<OpenRoom<GovernanceServices>> {
  const { database, ledger, guard: changes } = await house.store();
  const { project, settings } = house;
  const root = settings.governanceRoot ?? project.root;
  const { guard, team } = await openServers(house);
  const legacy = new LegacyArtifacts(root, project.stateDir);
  const artifacts = team
    ? new Artifacts({ store: new (await import("./remote/remote-artifacts.ts")).RemoteArtifacts(team) })
    : new Artifacts({ store: new LocalArtifacts({ database, ledger }), legacy });
  const client = guard ?? team;
  const files = new ContractFiles(root);
  const measurements = new MeasurementStore(database);
  return {
    services: {
      root,
      version: house.version,
      git: house.git,
      check: new GovernanceCheck({
        root,
        stateDir: project.stateDir,
        git: house.git,
        ...openTests(house, database),
        measurements,
      }),
      policyEditor: new PolicyEditor(root),
      measurements,
      files,
      client,
      contracts: guard ? new (await import("./remote/remote-contracts.ts")).RemoteContracts(guard) : files,
      projects: client
        ? new (await import("./remote/remote-projects.ts")).RemoteProjects(client)
        : new LocalProjects({ database, ledger, created: () => markGovernance(project.stateDir) }),
      builds: client
        ? new (await import("./remote/remote-builds.ts")).RemoteBuilds(client)
        : new LocalBuilds({ database, ledger }),
      sessions: new Sessions({ database, ledger }),
      artifacts,
      foreignTexts: new ForeignTexts(changes),
    },
  };
}

type HasWritten = (root: string, since: number) => Promise<boolean>;

/** Loaded when something of the project is to run, or an earlier run is looked for. */
function openTests(house: House, database: Database<unknown>) {
  const loadTrust = once(async () => new (await import("../../commons/trust/index.ts")).Trust());
  const trust: Pick<Trust, "require"> = {
    require: async (root, runnables) => (await loadTrust()).require(root, runnables),
  };
  const tests = once(async () => {
    const { TestRunStore, TestService } = await import("../../commons/test-runs/index.ts");
    const treeHash = (root: string, signal: AbortSignal) => house.git.work(root).treeHash(signal);
    const runs = new TestRunStore(database.forTables());
    // Opened only when tests are run.
    const hasWritten = async (root: string, since: number) =>
      (await (await house.port<HasWritten>("governance.writes"))?.(root, since)) ?? false;
    return { service: new TestService({ trust, runs, treeHash, hasWritten }), runs };
  });
  return { trust, tests };
}

async function openServers(house: House) {
  const { governanceLocal, governanceUrl } = house.settings;
  if (governanceLocal) return {};
  const team = await house.team();
  const { GovernanceClient } = await import("./remote/governance-client.ts");
  const { openGuard } = await import("./remote/open-guard.ts");
  return {
    ...(team && { team: new GovernanceClient(team.server, "team") }),
    ...(governanceUrl !== undefined && { guard: openGuard(governanceUrl, house) }),
  };
}
