import { path, type RemoteServer } from "../../../../commons/remote/index.ts";
import { isRecord } from "../../../../kernel/json.ts";
import type { Status } from "../../model/status.ts";
import type { Ticket, TicketPage } from "../../model/ticket.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";
import type { Suggestion } from "../../service/tickets.ts";
import { unexpectedAnswer } from "../errors.ts";
import { readEach, ticketFromServer } from "../mappers.ts";
import { type Pause, sleepUntil } from "../pause.ts";
import { withReviewQuestions } from "./aec-changes.ts";
import { filterPage } from "./aec-page.ts";
import type { AecPeople } from "./aec-people.ts";
import type { StatusAliases } from "./status-aliases.ts";

const pollMs = 15_000;

/** Reads tickets from an AEC server, which sends one ticket or all of them, and learns its names for statuses. */
export class AecReader {
  readonly #server: RemoteServer;
  readonly #aliases: StatusAliases;
  readonly #people: AecPeople;
  readonly #pause: Pause;

  constructor(server: RemoteServer, aliases: StatusAliases, people: AecPeople, pause: Pause = sleepUntil) {
    this.#server = server;
    this.#aliases = aliases;
    this.#people = people;
    this.#pause = pause;
  }

  async get(id: string): Promise<Ticket> {
    return this.parse(await this.#one(id));
  }

  async list(filter: TicketFilter): Promise<TicketPage> {
    const tickets = await this.#people.withNames(await this.#all(filter.status?.includes("ARCHIVED") ?? false));
    const assignee = filter.assignee === undefined ? undefined : await this.#people.nameFor(filter.assignee);
    return filterPage(tickets, { ...filter, assignee });
  }

  async suggest(typed: string, limit: number, among?: readonly Status[]): Promise<Suggestion[]> {
    const text = typed.trim().toLowerCase();
    const matches = ({ id, slug = "", title }: Ticket) =>
      [id, slug].some((name) => name.toLowerCase().startsWith(text)) || title.toLowerCase().includes(text);
    const { tickets } = filterPage((await this.#all(false)).filter(matches), {
      limit,
      ...(among && { status: [...among] }),
    });
    return tickets.map(({ id, title, status, foreign }) => ({ id, title, status, foreign }));
  }

  /** It sends no events, so it is polled. */
  async follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    let before: string | undefined;
    while (!signal.aborted) {
      const now = await this.#state(id).catch(() => undefined);
      if (before !== undefined && now !== undefined && now !== before && !signal.aborted) changed();
      before = now ?? before;
      await this.#pause(pollMs, signal).catch(() => undefined);
    }
  }

  /** A ticket from an answer of the server. */
  async parse(sent: unknown): Promise<Ticket> {
    const ticket = this.#read(sent);
    return (await this.#people.withNames([ticket]))[0] ?? ticket;
  }

  #read(sent: unknown): Ticket {
    if (isRecord(sent)) this.#aliases.learn(sent["status"]);
    return withReviewQuestions(ticketFromServer(sent, "unknown"));
  }

  async #state(id: string | undefined): Promise<string> {
    const tickets = id === undefined ? await this.#all(false) : [this.#read(await this.#one(id))];
    return tickets.map((ticket) => `${ticket.id} ${ticket.status} ${ticket.updatedAt}`).join("\n");
  }

  #one(id: string): Promise<unknown> {
    return this.#server.request("GET", path`/tickets/${id}`);
  }

  async #all(archived: boolean): Promise<Ticket[]> {
    const [current, old] = await Promise.all([
      this.#server.request("GET", path`/tickets`, { query: { all: true } }),
      archived ? this.#server.request("GET", path`/tickets/archived`) : [],
    ]);
    if (!Array.isArray(current) || !Array.isArray(old)) throw unexpectedAnswer("a list of tickets");
    return readEach([...current, ...old], (sent) => this.#read(sent)).items;
  }
}
