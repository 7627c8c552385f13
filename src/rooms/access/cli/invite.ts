import { commandFor } from "../../../commons/cli/command-for.ts";
import { localTime } from "../../../commons/cli/print/local-time.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { createInvite } from "../tools/create-invite.ts";
import { serverSettings } from "./server-settings.ts";

export const invite = commandFor<typeof createInvite>({
  tool: "create_invite",
  name: "invite",
  summary: "Create an invite link",
  examples: [
    ["forge invite", "A link for a new member."],
    ["forge invite --role viewer --email grace@example.com", "A link for Grace, who may only read."],
  ],
  settings: serverSettings,
  group: "server",
  print({ link, expiresAt }, out) {
    out.print(plain(link));
    out.note(`Valid for one person until ${localTime(expiresAt)}. This is shown only once.`);
  },
});
