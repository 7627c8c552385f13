import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { deskForResult } from "./desk-for-result.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const assign = defineCommand({
  name: "assign",
  summary: "Say whose a ticket is",
  examples: [
    ["forge assign T-001", "It is yours."],
    ["forge assign T-001 grace", "It is hers."],
    ["forge assign T-001 --none", "It is nobody's."],
  ],
  arguments: [ticketArgument, { name: "who", required: false, help: "A name; `me`, as without one, is you." }],
  options: { none: { type: "boolean", help: "Take it from whoever has it." } },
  settings: ticketSettings,
  group: "tickets",
  complete: async (app: App, place) =>
    place.positionals.length === 1 ? [{ value: "me", help: "You" }] : completeTicket(app, place),
  async run(app: App, { positionals: [id = "", who], options }, out) {
    if (options.none && who !== undefined) throw whoOrNobody();
    const desk = await deskForResult(app);
    const ticket = await desk.assign(id, options.none ? null : (who ?? "me"));
    out.data({ id: ticket.id, assignee: ticket.assignee ?? null }, ({ assignee }) =>
      assignee === null ? `${plain(ticket.id)} is nobody's now.` : `${plain(ticket.id)} is ${plain(assignee)}'s now.`,
    );
    return 0;
  },
});

function whoOrNobody(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A name and --none contradict each other.", {
    next: ["Give one of them."],
  });
}
