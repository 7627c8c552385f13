import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import type { Role } from "../service/ports.ts";
import { serverSettings } from "./server-settings.ts";

const roles = ["admin", "member", "viewer"] as const satisfies Role[];

export const invite = defineCommand({
  name: "invite",
  summary: "Make a link with which somebody joins your team",
  details:
    "Prints a link that is good for one person and a few days; send it to them. It needs an admin of the team. Whoever has " +
    "the link can use it, unless you name the address it is for.",
  examples: [
    ["forge invite", "A link for a new member."],
    ["forge invite --role viewer --email grace@example.com", "For somebody who may only look."],
  ],
  options: {
    role: { type: "string", value: "ROLE", choices: roles, default: "member", help: "What they may do." },
    email: { type: "string", value: "EMAIL", help: "Only for whoever has this address." },
  },
  settings: serverSettings,
  group: "server",
  async run(app: App, { options: { role, email } }, out) {
    const { runInvite } = await import("./work/index.ts");
    return runInvite(app, { role: roles.find((known) => known === role) ?? "member", email }, out);
  },
});
