import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";
import type { AccessServices } from "../services.ts";

export const logout = defineCommand({
  name: "logout",
  summary: "Sign out of the Forge server",
  details:
    "Ends the sign-in on the server and removes it from this machine; from then on tickets come from the project again. If the " +
    "server cannot be reached, the sign-in is removed from this machine anyway. A token in FORGE_TOKEN is not revoked: while " +
    "it is set, nothing is changed.",
  examples: [["forge logout", "Sign out."]],
  settings: ["project", "token"],
  group: "server",
  async run(app: App, _input, out) {
    const { login } = await app.room<AccessServices>("access");
    await app.tools.approve(
      "forge logout",
      { title: "Sign out of the Forge server", input: {}, ofUser: true },
      out.signal,
    );
    const ended = await login.end(out.signal);
    out.data({ signedOut: ended !== undefined, toldServer: ended?.toldServer ?? false }, ({ signedOut }) => {
      if (ended?.hadEnded) return "Signed out. The server had already ended this sign-in.";
      return signedOut ? "Signed out." : "You were not signed in.";
    });
    if (ended && !ended.toldServer && !ended.hadEnded) {
      out.note("The server could not be told. Its tokens expire by themselves; an admin can revoke them sooner.");
    }
    return 0;
  },
});
