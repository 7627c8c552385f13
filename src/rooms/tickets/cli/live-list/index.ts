import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import type { LiveTerminal } from "../../../../platform/terminal/live-terminal.ts";
import type { TicketFilter } from "../../model/ticket.ts";
import { LiveList } from "./live-list.ts";

/** `forge list` on a terminal: a list to move and filter in that stays true, until the person leaves it. */
export async function liveList(app: App, filter: TicketFilter, out: Output, terminal: LiveTerminal): Promise<number> {
  const desk = await app.tickets();
  const list = new LiveList({ app, desk, filter, out });
  return terminal.takeOver(list, (screen) => list.run(screen));
}
