import type { App } from "../../../../commons/cli/app.ts";
import { type Column, table } from "../../../../commons/cli/table.ts";
import type { Candidate, Output, TypingPlace } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { TeamOfMine } from "../../remote/desk.ts";

const actions: Record<string, string> = { create: "Make a team, with you as its admin.", list: "Those you are in." };

const columns: Column<TeamOfMine>[] = [
  { title: "SLUG", cell: ({ slug }) => slug },
  { title: "NAME", cell: ({ name }) => name, shrinks: true },
  { title: "ROLE", cell: ({ role }) => role },
];

export async function runTeam(
  app: App,
  { action, name }: { action: string; name: string | undefined },
  out: Output,
): Promise<number> {
  if (!Object.hasOwn(actions, action)) throw noSuchAction(action);
  if (action === "create" && (name === undefined || name.trim() === "")) throw nameMissing();
  app.failOnSignals();
  const desk = await app.access();
  if (action === "list") {
    const teams = await desk.teams(out.signal);
    out.data(teams, () => table(columns, teams, out));
    return 0;
  }
  const made = await desk.addTeam(name ?? "", out.signal);
  out.data(made, ({ slug }) => plain(slug));
  if (!out.json) {
    out.note(`To work in it, run \`forge login --team ${plain(made.slug)} --replace\`.`);
  }
  return 0;
}

export function completeTeam({ option, positionals }: TypingPlace): Candidate[] {
  if (option !== undefined || positionals.length > 0) return [];
  return Object.entries(actions).map(([value, help]) => ({ value, help }));
}

function noSuchAction(action: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `forge team cannot "${action.slice(0, 64)}".`, {
    next: ["Use `forge team create NAME` or `forge team list`."],
  });
}

function nameMissing(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "forge team create must be told the team's name.", {
    next: ["For example: forge team create Engines"],
  });
}
