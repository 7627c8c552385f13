import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { serverSettings } from "./server-settings.ts";

export const resetPassword = defineCommand({
  name: "reset-password",
  summary: "Make a link with which somebody sets a new password",
  details:
    "For a member of your team who has forgotten theirs. Prints a link that is good for one use and an hour; send it to them " +
    "on a way that only they read. It needs an admin of all the teams that the person is in. Once they use it, all their " +
    "browsers, devices and tokens are signed out.",
  examples: [["forge reset-password grace@example.com", "A link for Grace."]],
  arguments: [{ name: "email", required: true, help: "The address that they sign in with." }],
  settings: serverSettings,
  group: "server",
  async run(app: App, { positionals: [email = ""] }, out) {
    const { runResetPassword } = await import("./work/index.ts");
    return runResetPassword(app, email, out);
  },
});
