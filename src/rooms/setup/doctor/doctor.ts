import type { House } from "../../../commons/house.ts";
import { environment } from "../../../platform/host/environment.ts";
import { userHome } from "../../../platform/host/user-folder.ts";
import type { SetupRequest } from "../service/request.ts";
import type { Setup } from "../service/setup.ts";
import { askTeamServer } from "./ask-team-server.ts";
import { examine } from "./examine.ts";
import type { Finding, Ports } from "./model.ts";
import { newestVersion } from "./newest-version.ts";

/** Checks a project and this machine. */
export class Doctor {
  readonly #house: House;
  readonly #setup: Setup;

  constructor(house: House, setup: Setup) {
    this.#house = house;
    this.#setup = setup;
  }

  async examine(options: { fix: boolean }, signal: AbortSignal): Promise<Finding[]> {
    const { settings, settingsProblems, cwd, project, version } = this.#house;
    return examine(
      {
        version,
        nodeVersion: process.versions.node,
        program: process.argv[1] ?? "",
        environment,
        home: userHome(),
        cwd,
        project,
        databaseUrl: settings.databaseUrl,
        knownSchema: await this.#house.schemaSteps(),
        settingsProblems: settingsProblems.map(({ message, next = [] }) => ({ message, next })),
        now: () => Date.now(),
        signal,
        ports: this.#ports(),
      },
      options,
    );
  }

  #ports(): Ports {
    const { settings } = this.#house;
    const setup = this.#setup;
    return {
      clients: async () => setup.find().map(({ id, title, file }) => ({ title, file, upToDate: isSetUp(setup, id) })),
      trust: this.#house.trust,
      teamServer: (signal) => askTeamServer(this.#house, signal),
      ...(settings.updateCheck && { newestVersion: (signal) => newestVersion(undefined, signal) }),
    };
  }
}

const asItIs: Omit<SetupRequest, "clients" | "npx"> = {
  scope: undefined,
  outside: true,
  skill: false,
  agentsMd: false,
  claudeMd: false,
};

/** Whether `forge init` would have nothing to do, started either way. A file that it cannot read is not set up. */
function isSetUp(setup: Setup, client: string): boolean {
  return [false, true].some((npx) => {
    try {
      return setup.plan({ ...asItIs, clients: [client], npx }).changes.length === 0;
    } catch {
      return false;
    }
  });
}
