import { TrustEditor } from "../../../src/commons/trust/trust-editor.ts";
import { Git } from "../../../src/platform/git/git.ts";

/** Trusts the given projects for the user whose home this is. */
const desk = new TrustEditor({ git: new Git() });
for (const project of process.argv.slice(2)) {
  await desk.grant(await desk.state(project, new AbortController().signal), "ada");
}
