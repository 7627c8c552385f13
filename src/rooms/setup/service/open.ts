import { programOnPath } from "../../../platform/exec/search-path.ts";
import { environment } from "../../../platform/host/env.ts";
import { isForge, ownScript } from "../../../platform/host/installation.ts";
import { userHome } from "../../../platform/host/user-folder.ts";
import { Setup } from "./setup.ts";

type Place = {
  root: string;
  stateDir: string;
  version: string;
  /** The file this program was started by. */
  startedAs: string;
};

/** The setup of this project, on this machine, for this person. */
export function openSetup({ root, stateDir, version, startedAs }: Place): Setup {
  const names = ["forge", "forge-mcp"] as const;
  const script = ownScript(startedAs);
  return new Setup({
    root,
    stateDir,
    home: userHome(),
    env: environment,
    platform: process.platform,
    version,
    nameOnPath: names.find((name) => isOnPath(name)),
    node: process.execPath,
    script,
    isFromNpx: /[\\/]_npx[\\/]/.test(script),
  });
}

function isOnPath(name: string): boolean {
  const program = programOnPath(name, environment);
  return program !== undefined && isForge(program);
}
