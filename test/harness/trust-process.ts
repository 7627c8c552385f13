import { TrustDesk } from "../../src/commons/trust/trust-desk.ts";
import { Git } from "../../src/platform/git/git.ts";

/** Trusts the given projects for the user whose home this is. */
const desk = new TrustDesk({ git: new Git() });
for (const project of process.argv.slice(2)) {
  await desk.give(await desk.state(project, new AbortController().signal), "ada");
}
