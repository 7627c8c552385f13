import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { Column } from "../../../commons/cli/print/table.ts";
import type { Role, Team } from "../../../commons/people.ts";
import { defineGroup } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { createTeam } from "../tools/create-team.ts";
import type { listTeams } from "../tools/list-teams.ts";
import { serverSettings } from "./server-settings.ts";

export const team = defineGroup<App>({
  name: "team",
  summary: "Manage teams, and show their ledger and audit log",
  details:
    "Each team has its own members and tickets. `forge login --team SLUG --replace` signs in to work in another team. In a " +
    "project that is linked to a team, these commands are about that team.",
  examples: [
    ["forge team list", "The teams you are in."],
    ["forge team create Engines", "Create a team."],
    ["forge team ledger --since 1d", "What was done in the team since yesterday."],
    ["forge team audit", "Sign-ins and changes of rights."],
  ],
  group: "server",
});

const columns: Column<Team & { role: Role }>[] = [
  { title: "SLUG", cell: ({ slug }) => slug },
  { title: "NAME", cell: ({ name }) => name, shrinks: true },
  { title: "ROLE", cell: ({ role }) => role },
];

export const teamList = commandFor<typeof listTeams>({
  tool: "list_teams",
  name: "team list",
  summary: "List your teams",
  examples: [["forge team list", "The teams you are in."]],
  settings: serverSettings,
  group: "server",
  print: (teams, out) => printList({ columns, rows: teams, none: "You are not in a team." }, out),
});

export const teamCreate = commandFor<typeof createTeam>({
  tool: "create_team",
  name: "team create",
  summary: "Create a team",
  examples: [["forge team create Engines", "Create a team, with you as its admin."]],
  settings: serverSettings,
  group: "server",
  print({ slug }, out) {
    out.print(plain(slug));
    out.note(`To work in it, run \`forge login --team ${plain(slug)} --replace\`.`);
  },
});
