import { path, type RemoteServer } from "../../../commons/remote/index.ts";
import type { Ticket, TicketFilter, TicketPage } from "../model.ts";
import { isRecord } from "../reading/loose.ts";
import type { Status } from "../status.ts";
import { withReviewed } from "./original-changes.ts";
import { pageOf } from "./original-list.ts";
import { type Pause, sleepUntil } from "./pause.ts";
import type { SpokenStatuses } from "./spoken.ts";
import { noSense, ticketFromServer } from "./wire.ts";

const lookEveryMs = 15_000;

/** Reads tickets of a server of the original kind, which gives one or all, and hears how it speaks of statuses. */
export class OriginalReader {
  readonly #server: RemoteServer;
  readonly #spoken: SpokenStatuses;
  readonly #pause: Pause;

  constructor(server: RemoteServer, spoken: SpokenStatuses, pause: Pause = sleepUntil) {
    this.#server = server;
    this.#spoken = spoken;
    this.#pause = pause;
  }

  async get(id: string): Promise<Ticket> {
    return this.understand(await this.#server.request("GET", path`/tickets/${id}`));
  }

  async list(filter: TicketFilter): Promise<TicketPage> {
    return pageOf(await this.#all(filter.status?.includes("ARCHIVED") ?? false), filter);
  }

  async suggest(
    typed: string,
    limit: number,
    among?: readonly Status[],
  ): Promise<{ id: string; title: string; status: Status }[]> {
    const text = typed.trim().toLowerCase();
    const fits = ({ id, slug = "", title }: Ticket) =>
      [id, slug].some((name) => name.toLowerCase().startsWith(text)) || title.toLowerCase().includes(text);
    const { tickets } = pageOf((await this.#all(false)).filter(fits), { limit, ...(among && { status: [...among] }) });
    return tickets.map(({ id, title, status }) => ({ id, title, status }));
  }

  /** It has no events, so it is looked at from time to time. */
  async follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    let before: string | undefined;
    while (!signal.aborted) {
      const now = await this.#state(id).catch(() => undefined);
      if (before !== undefined && now !== undefined && now !== before && !signal.aborted) changed();
      before = now ?? before;
      await this.#pause(lookEveryMs, signal).catch(() => undefined);
    }
  }

  understand(sent: unknown): Ticket {
    if (isRecord(sent)) this.#spoken.hear(sent["status"]);
    return withReviewed(ticketFromServer(sent, "says nothing"));
  }

  async #state(id: string | undefined): Promise<string> {
    const tickets = id === undefined ? await this.#all(false) : [await this.get(id)];
    return tickets.map((ticket) => `${ticket.id} ${ticket.status} ${ticket.updatedAt}`).join("\n");
  }

  async #all(archived: boolean): Promise<Ticket[]> {
    const [current, old] = await Promise.all([
      this.#server.request("GET", path`/tickets`, { query: { all: true } }),
      archived ? this.#server.request("GET", path`/tickets/archived`) : [],
    ]);
    if (!Array.isArray(current) || !Array.isArray(old)) throw noSense("a list of tickets");
    return [...current, ...old].map((sent) => this.understand(sent));
  }
}
