import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { WhoAmI } from "../../remote/desk.ts";

export async function runWhoami(app: App, out: Output): Promise<number> {
  out.data(await (await app.access()).whoAmI(out.signal), describe);
  return 0;
}

function describe({ server, email, displayName, by, there }: WhoAmI): string {
  const facts = {
    Server: server,
    Name: displayName === "" ? email : `${displayName} <${email}>`,
    ...(there && { Team: `${there.team.name} (${there.role})`, "May do": there.scopes.join(", ") }),
    ...(there &&
      there.teams.length > 1 && { Teams: there.teams.map(({ slug, role }) => `${slug} (${role})`).join(", ") }),
    "Signed in": `by ${by}`,
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(10)} ${plain(value)}`)
    .join("\n");
}
