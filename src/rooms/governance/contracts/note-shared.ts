import type { Call } from "../../../kernel/calls/call.ts";
import { projectsSubject } from "../model/project.ts";
import type { GovernanceServices } from "../model/services.ts";

/** Call it before contracts are returned: those of a server are text by others, whether or not the project is trusted. */
export async function noteSharedContracts(
  { contracts, files }: Pick<GovernanceServices, "contracts" | "files">,
  call: Call,
): Promise<void> {
  if (contracts !== files) await call.noteUntrusted();
}

/** The same for projects, their contracts and builds, and for artifacts; also for those of a store that others made. */
export async function noteSharedProjects(
  { client, foreignTexts }: Pick<GovernanceServices, "client" | "foreignTexts">,
  call: Call,
): Promise<void> {
  if (client) await call.noteUntrusted();
  else await foreignTexts.noteRead(call, [projectsSubject]);
}
