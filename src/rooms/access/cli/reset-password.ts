import { commandFor } from "../../../commons/cli/command-for.ts";
import { localTime } from "../../../commons/cli/print/local-time.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { createResetLink } from "../tools/create-reset-link.ts";
import { serverSettings } from "./server-settings.ts";

export const resetPassword = commandFor<typeof createResetLink>({
  tool: "create_reset_link",
  name: "reset-password",
  summary: "Create a password reset link for a member",
  examples: [["forge reset-password grace@example.com", "A link for Grace."]],
  settings: serverSettings,
  group: "server",
  print({ link, expiresAt }, out) {
    out.print(plain(link));
    out.note(`Works once, until ${localTime(expiresAt)}. This is shown only once.`);
  },
});
