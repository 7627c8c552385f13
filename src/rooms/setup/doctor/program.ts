import { schemaSteps } from "../../../app/local/program.ts";
import { resolveSettings, type Settings } from "../../../app/settings/config.ts";
import type { Person } from "../../../commons/cli/person.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { environment } from "../../../platform/host/env.ts";
import { userHome } from "../../../platform/host/user-folder.ts";
import type { Project } from "../../../platform/state/project.ts";
import { readSettingsFile } from "../../../platform/state/settings-file.ts";
import { version } from "../../../version.ts";
import type { AccessDesk } from "../../access/remote/desk.ts";
import type { Setup, SetupRequest } from "../index.ts";
import { examine, type Finding, isNewer, newestVersion, type Ports } from "./index.ts";

type Patient = {
  settings: Settings;
  cwd: string;
  project: Project;
  setup: Setup;
  person: Person;
  access(): Promise<AccessDesk>;
};

/** Wires the doctor to the program's parts. Loaded only where somebody calls it. */
export function examineProgram(patient: Patient, fix: boolean, signal: AbortSignal): Promise<Finding[]> {
  const { settings, cwd, project } = patient;
  const { problems } = resolveSettings({ flags: {}, env: environment, file: readSettingsFile() });
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
      knownSchema: schemaSteps,
      settingsProblems: problems.map(({ error }) => ({ message: error.message, next: error.next ?? [] })),
      now: () => Date.now(),
      signal,
      ports: portsOf(patient),
    },
    { fix },
  );
}

function portsOf({ settings, setup, person, access }: Patient): Ports {
  return {
    clients: async () => setup.find().map(({ id, title, file }) => ({ title, file, upToDate: isSetUp(setup, id) })),
    async trust(signal) {
      const { trusted, since, items, gone } = await person.trust(signal);
      const changed = items.filter(({ status }) => status !== "trusted").map(({ id }) => id);
      return { given: since !== undefined, trusted, changed: [...changed, ...gone] };
    },
    async teamServer(signal) {
      const desk = await access();
      try {
        const { server, by, email, there } = await desk.whoAmI(signal);
        return { server, by, email, team: there?.team.name };
      } catch (error) {
        const isLocal = settings.apiUrl === undefined && settings.token === undefined && !(await desk.signedIn());
        if (isLocal && error instanceof ForgeError && error.code === "AUTH_REQUIRED") return undefined;
        throw error;
      }
    },
    ...(settings.updateCheck && { newestVersion: (signal) => newestVersion(undefined, signal) }),
  };
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

export async function askForNewest(registry: string | undefined, signal: AbortSignal) {
  const newest = await newestVersion(registry, signal);
  return { newest, isNewer: isNewer(newest, version) };
}
