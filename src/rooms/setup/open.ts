import type { House } from "../../commons/house.ts";
import type { OpenRoom } from "../../kernel/definitions/room.ts";
import { findProgram } from "../../platform/exec/search-path.ts";
import { environment } from "../../platform/host/environment.ts";
import { isForge, ownScript } from "../../platform/host/installation.ts";
import { userHome } from "../../platform/host/user-folder.ts";
import { Doctor } from "./doctor/doctor.ts";
import { Setup } from "./service/setup.ts";
import type { SetupServices } from "./services.ts";

/** The setup of this project, on this machine, for this user. */
export function openSetupRoom(house: House): OpenRoom<SetupServices> {
  const { root, stateDir } = house.project;
  const script = ownScript(process.argv[1] ?? "");
  const setup = new Setup({
    root,
    stateDir,
    home: userHome(),
    env: environment,
    platform: process.platform,
    version: house.version,
    nameOnPath: (["forge", "forge-mcp"] as const).find(isOnPath),
    node: process.execPath,
    script,
    isFromNpx: /[\\/]_npx[\\/]/.test(script),
  });
  return { services: { setup, doctor: new Doctor(house, setup), version: house.version } };
}

/** Another program may be called `forge` too. */
function isOnPath(name: string): boolean {
  const program = findProgram(name, environment);
  return program !== undefined && isForge(program);
}
