import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";

export const logout = defineCommand({
  name: "logout",
  summary: "Sign out of the Forge server",
  details:
    "Ends the sign-in on the server and removes it from this machine; then tickets are the project's own again. Where the " +
    "server cannot be reached, it is removed here all the same. A token in FORGE_TOKEN is not ended by it: while that is set, " +
    "nothing is changed.",
  examples: [["forge logout", "Sign out."]],
  settings: ["project", "token"],
  group: "server",
  async run(app: App, _input, out) {
    const { runLogout } = await import("./work/index.ts");
    return runLogout(app, out);
  },
});
