import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { WhoAmI } from "../remote/login-session.ts";
import type { whoami as whoamiTool } from "../tools/whoami.ts";
import { serverSettings } from "./server-settings.ts";

export const whoami = commandFor<typeof whoamiTool>({
  tool: "whoami",
  name: "whoami",
  summary: "Show who you are on the Forge server",
  examples: [
    ["forge whoami", "Your name, role and teams."],
    ["forge whoami --json", "The same for a script, with your permissions."],
  ],
  settings: serverSettings,
  group: "server",
  print: (who, out) => out.print(describe(who)),
});

function describe({ server, email, displayName, by, there }: WhoAmI): string {
  const teams = there?.teams.map(({ slug, role }) => `${slug} (${role})`) ?? [];
  const facts = {
    Server: server,
    Name: displayName === "" ? email : `${displayName} <${email}>`,
    ...(there && { Team: `${there.team.name} (${there.role})`, Scopes: there.scopes.join(", ") }),
    ...(teams.length > 1 && { Teams: teams.join(", ") }),
    "Signed in": `with ${by}`,
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(10)} ${plain(value)}`)
    .join("\n");
}
