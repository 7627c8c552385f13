import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import type { LiveTerminal } from "../../../../platform/terminal/live-terminal.ts";
import type { Status } from "../../model/status.ts";
import type { TicketView } from "../../model/ticket/ticket-view.ts";
import type { TicketPage } from "../../model/ticket.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";
import { readStatusWords } from "../status-words.ts";
import { ticketServices } from "../ticket-argument.ts";
import { LiveList } from "./live-list.ts";

/** What the list shows. Reads are calls, so that the ledger has them as it has those of other commands. */
export type LiveTickets = {
  list(filter: TicketFilter): Promise<TicketPage>;
  /** `quiet` where nobody asked: the screen is kept current, and the ledger does not need to know. */
  get(id: string, quiet?: boolean): Promise<TicketView>;
  /** Returns the new ticket's id. */
  create(title: string): Promise<string>;
  move(id: string, status: Status): Promise<void>;
  /** `null` for nobody. Returns the assignee's name. */
  assign(id: string, assignee: string | null): Promise<string | undefined>;
  /** As the command does, on the same terminal; ends with Ctrl+C. */
  run(id: string): Promise<void>;
  /** Calls back on every change; returns how to stop. */
  watch(changed: () => void): () => void;
};

/** `forge list` on a terminal: a list to move and filter in that stays current until the user leaves it. */
export async function openLiveList(
  app: App,
  filter: TicketFilter,
  out: Output,
  terminal: LiveTerminal,
): Promise<number> {
  const { tickets: source } = await ticketServices(app);
  const { signal } = out;
  let isFirst = true;
  const tickets: LiveTickets = {
    async list(wanted) {
      // The person asked once; what follows only keeps the screen current.
      const options = { signal, command: "forge list", ...(!isFirst && { quiet: true as const }) };
      isFirst = false;
      return (await app.tools.call("list_tickets", wanted, options)) as TicketPage;
    },
    async get(ticketId, quiet = false) {
      const options = { signal, command: "forge show", ...(quiet && { quiet: true as const }) };
      return (await app.tools.call("get_ticket", { ticketId }, options)) as TicketView;
    },
    async create(title) {
      const made = await app.tools.call("create_ticket", { title }, { signal, command: "forge create" });
      return String((made as { ticketId: unknown }).ticketId);
    },
    async move(ticketId, status) {
      await app.tools.call("update_ticket_status", { ticketId, status }, { signal, command: "forge status" });
    },
    async assign(ticketId, assignee) {
      const options = { signal, command: "forge assign" };
      const changed = await app.tools.call("update_ticket", { ticketId, assignee }, options);
      return (changed as { assignee?: string }).assignee;
    },
    async run(id) {
      const { runWork } = await import("../at-work/run-work.ts");
      await runWork(app, { gate: "execute", id, launch: undefined }, out);
    },
    watch: (changed) => source.watch(undefined, changed),
  };
  const list = new LiveList({ app, tickets, filter, out, words: readStatusWords(app) });
  return terminal.takeOver(list, (screen) => list.run(screen));
}
