import { join } from "node:path";

/** Names the folder for the programs that tests start; it is inside the project, so that they find its packages. */
export const programsVariable = "FORGE_TEST_PROGRAMS";

/** The program's compiled code, which all that tests start share: each would compile it again for a home folder of its own. */
export function sharedCodeCache(): { XDG_CACHE_HOME?: string } {
  const { [programsVariable]: programs } = process.env;
  return programs === undefined ? {} : { XDG_CACHE_HOME: join(programs, "code-cache") };
}
