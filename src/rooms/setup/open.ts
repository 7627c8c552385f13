import type { House } from "../../commons/house.ts";
import type { OpenRoom } from "../../kernel/room.ts";
import { openSetup } from "./service/open.ts";
import type { Setup } from "./service/setup.ts";

export type SetupServices = { setup: Setup };

export function openSetupRoom({ project, version }: House): OpenRoom<SetupServices> {
  const { root, stateDir } = project;
  return { services: { setup: openSetup({ root, stateDir, version, startedAs: process.argv[1] ?? "" }) } };
}
