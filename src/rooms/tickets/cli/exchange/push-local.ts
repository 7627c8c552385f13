import type * as z from "zod";
import { commandFor } from "../../../../commons/cli/command-for.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { pushLocalTickets } from "../../tools/exchange/push-local-tickets.ts";
import { ticketSettings } from "../ticket-argument.ts";

const maxListed = 50;

export const pushLocal = commandFor<typeof pushLocalTickets>({
  tool: "push_local_tickets",
  name: "push-local",
  aliases: ["ticket push-local"],
  summary: "Copy this project's own tickets to the Forge server",
  examples: [
    ["forge push-local", "Copy them, and list the ids that changed."],
    ["forge push-local --json", "The same with every id, for a script."],
  ],
  settings: ticketSettings,
  group: "server",
  print: (pushed, out) => out.print(describePush(pushed, out)),
});

type Pushed = z.output<(typeof pushLocalTickets)["output"]>;

function describePush({ server, team, moved, before }: Pushed, { style }: Output): string {
  const renamed = moved.filter(({ id, newId }) => id !== newId);
  const listed = renamed
    .slice(0, maxListed)
    .map(({ id, newId }) => `  ${plain(id)} is ${style.bold(plain(newId))} there`);
  return [
    `Copied ${countOf(moved.length)} to ${plain(server)}, team ${plain(team)}.`,
    ...(before.length === 0 ? [] : [`${countOf(before.length)} had already been copied.`]),
    ...(renamed.length === 0 ? [] : [`New ids, because theirs were taken: ${renamed.length}`, ...listed]),
    ...(renamed.length > maxListed ? [`  and ${renamed.length - maxListed} more; --json lists all`] : []),
  ].join("\n");
}

function countOf(number: number): string {
  return `${number} ${number === 1 ? "ticket" : "tickets"}`;
}
