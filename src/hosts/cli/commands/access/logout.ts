import { defineCommand } from "../../../../kernel/command.ts";
import type { App } from "../../app.ts";

export const logout = defineCommand({
  name: "logout",
  summary: "Sign out of the Forge server",
  details:
    "Ends the sign-in on the server and removes it from this machine; then tickets are the project's own again. Where the " +
    "server cannot be reached, it is removed here all the same.",
  examples: [["forge logout", "Sign out."]],
  settings: ["project"],
  group: "server",
  async run(app: App, _input, out) {
    const done = await (await app.access()).logOut(out.signal);
    out.data({ signedOut: done !== undefined, toldServer: done?.toldServer ?? false }, ({ signedOut }) =>
      signedOut ? "Signed out." : "Nobody was signed in.",
    );
    if (done && !done.toldServer) {
      out.note("The server could not be told. What it has given out ends by itself; an admin can end it sooner.");
    }
    return 0;
  },
});
