import { defineCommand } from "../../../../kernel/command.ts";
import type { WhoAmI } from "../../access.ts";
import type { App } from "../../app.ts";
import { plain } from "../../text.ts";
import { serverSettings } from "./server-settings.ts";

export const whoami = defineCommand({
  name: "whoami",
  summary: "Show who you are on the Forge server",
  details: "Asks the server that you are signed in to, so it also tells whether the sign-in still holds.",
  examples: [
    ["forge whoami", "Your name, team and role."],
    ["forge whoami --json", "The same for a script, with what you may do."],
  ],
  settings: serverSettings,
  group: "server",
  async run(app: App, _input, out) {
    out.data(await (await app.access()).whoAmI(out.signal), describe);
    return 0;
  },
});

function describe({ server, email, displayName, by, there }: WhoAmI): string {
  const facts = {
    Server: server,
    Name: displayName === "" ? email : `${displayName} <${email}>`,
    ...(there && { Team: `${there.team.name} (${there.role})`, "May do": there.scopes.join(", ") }),
    "Signed in": `by ${by}`,
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(10)} ${plain(value)}`)
    .join("\n");
}
