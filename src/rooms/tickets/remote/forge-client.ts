import type { Claiming } from "../../../commons/claims/index.ts";
import { path, type RemoteRequest, type RemoteServer } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { RecordEntry } from "../model/records/schema.ts";
import { withShadowed } from "../model/shadowed-fields.ts";
import type { Status } from "../model/status.ts";
import type {
  ChangeRecord,
  HistoryEntry,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketClaim,
  TicketDocument,
  TicketDraft,
  TicketPage,
  TicketSummary,
  WorkBase,
} from "../model/ticket.ts";
import type { TicketFilter } from "../model/ticket-fields.ts";
import type {
  Author,
  CompleteOptions,
  ExistingIdPolicy,
  ImportedTicket,
  ImportOutcome,
  MovedTicket,
  Suggestion,
} from "../service/tickets.ts";
import { unexpectedAnswer } from "./errors.ts";
import type { Feed } from "./feed.ts";
import { importInBatches } from "./import-in-batches.ts";
import { pageFromServer, ticketFromServer } from "./mappers.ts";
import type { TicketClient } from "./ticket-client.ts";

const maxMoveTries = 4;

/** Tickets on a Forge server, through its REST routes. */
export class ForgeClient implements TicketClient {
  readonly hasClaims = true;
  readonly #server: RemoteServer;
  readonly #feed: Feed;

  constructor(server: RemoteServer, feed: Feed) {
    this.#server = server;
    this.#feed = feed;
  }

  async get(id: string): Promise<Ticket> {
    return ticketFromServer(await this.#server.request("GET", path`/tickets/${id}`), "tracked");
  }

  async list(filter: TicketFilter): Promise<TicketPage> {
    return pageFromServer(await this.#server.request("GET", path`/tickets`, { query: filter }));
  }

  async suggest(typed: string, limit: number, among?: readonly Status[]): Promise<Suggestion[]> {
    const query = { typed: typed.slice(0, 200), limit: Math.min(limit, 100), status: among };
    const answer = await this.#server.request("GET", path`/tickets/suggest`, { query });
    // A server of an earlier version does not say whose text it is.
    return listIn<Suggestion>(answer, "tickets").map((one) => ({ ...one, foreign: one.foreign !== false }));
  }

  async history(id: string, limit?: number): Promise<HistoryEntry[]> {
    const answer = await this.#server.request("GET", path`/tickets/${id}/history`, { query: { limit } });
    return listIn<HistoryEntry>(answer, "history");
  }

  create(by: Author, draft: TicketDraft, { status }: { status?: Status | undefined } = {}): Promise<Ticket> {
    return this.#send("POST", path`/tickets`, by, { body: { ...draft, status } });
  }

  update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    return this.#send("PATCH", path`/tickets/${id}`, by, { body: changes, ifMatch: expectedRevision });
  }

  /** The status it moves from is only certain if nobody else changes it in between; then it is read again. */
  async move(by: Author, id: string, status: Status, base?: WorkBase): Promise<MovedTicket> {
    for (let tries = 1; ; tries++) {
      const before = await this.get(id);
      try {
        const body = { status, ...(base && { executionBase: base }) };
        const request = { body, ifMatch: before.revision };
        const ticket = await this.#send("PATCH", path`/tickets/${id}`, by, request);
        return { ticket, from: before.status, moved: before.status !== status };
      } catch (error) {
        if (!isOutdated(error) || tries === maxMoveTries) throw error;
      }
    }
  }

  async claim(by: Author, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }> {
    const { claim, ...ticket } = await this.#send("POST", path`/tickets/${id}/claim`, by, { body: claiming });
    if (!claim) throw unexpectedAnswer("a claim");
    return { ...ticket, claim };
  }

  release(by: Author, id: string, { held }: Pick<Claiming, "held"> = {}): Promise<Ticket> {
    return this.#send("POST", path`/tickets/${id}/claim`, by, { body: { release: true, held } });
  }

  start(by: Author, id: string, base: WorkBase): Promise<Ticket> {
    return this.#send("POST", path`/tickets/${id}/start`, by, { body: base });
  }

  addQuestions(by: Author, id: string, questions: NewQuestion[]): Promise<Ticket> {
    return this.#send("POST", path`/tickets/${id}/questions`, by, { body: { questions } });
  }

  answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket> {
    return this.#send("POST", path`/tickets/${id}/answers`, by, { body: { answers } });
  }

  dismiss(by: Author, id: string, reasons: Record<string, string>): Promise<Ticket> {
    return this.#send("POST", path`/tickets/${id}/dismissals`, by, { body: { reasons } });
  }

  complete(by: Author, id: string, record: ChangeRecord, { correct = false }: CompleteOptions = {}): Promise<Ticket> {
    const body = { ...record, ...(correct && { correct }) };
    return this.#send("POST", path`/tickets/${id}/settle`, by, { body });
  }

  record(by: Author, id: string, entry: RecordEntry): Promise<Ticket> {
    return this.#send("POST", path`/tickets/${id}/records`, by, { body: { entry } });
  }

  async next(limit: number): Promise<TicketSummary[]> {
    return pageFromServer(await this.#server.request("GET", path`/tickets/next`, { query: { limit } })).tickets;
  }

  import(by: Author, tickets: ImportedTicket[], onExisting: ExistingIdPolicy): Promise<ImportOutcome[]> {
    return importInBatches(tickets, async (documents, source) => {
      const body = { tickets: documents, onExisting, source };
      const answer = await this.#server.request("POST", path`/tickets/import`, { body, by: by.principal });
      return listIn<ImportOutcome>(answer, "outcomes");
    });
  }

  replace(by: Author, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket> {
    return this.#send("PATCH", path`/tickets/${id}`, by, {
      body: { document: withShadowed(document) },
      ifMatch: expectedRevision,
    });
  }

  follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    const names = new Set(id === undefined ? [] : [`ticket:${id}`]);
    // The ledger names it by its id, also if it is followed by its slug.
    if (id !== undefined)
      void this.get(id).then(
        (ticket) => names.add(`ticket:${ticket.id}`),
        () => undefined,
      );
    const isFollowed = (item: string) => (id === undefined ? item.startsWith("ticket:") : names.has(item));
    const stop = this.#feed.listen((about) => {
      if (about === "unknown" || about.some(isFollowed)) changed();
    });
    return new Promise((done) => {
      const end = () => {
        stop();
        done();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }

  async #send(
    method: "POST" | "PATCH",
    to: ReturnType<typeof path>,
    { principal, foreign }: Author,
    request: Pick<RemoteRequest, "body" | "ifMatch">,
  ): Promise<Ticket> {
    const answer = await this.#server.request(method, to, { ...request, by: principal, foreign });
    return ticketFromServer(answer, "tracked");
  }
}

function isOutdated(error: unknown): boolean {
  const conflicts = error instanceof ForgeError && error.code === "CONFLICT_ERROR";
  return conflicts && error.details?.["currentRevision"] !== undefined;
}

/** The items of a Forge server's list have the shape of its definitions; only that it is a list is checked. */
function listIn<Item>(answer: unknown, name: string): Item[] {
  const list = isRecord(answer) ? answer[name] : undefined;
  if (Array.isArray(list) && list.every(isRecord)) return list as Item[];
  throw unexpectedAnswer(`a list of ${name}`);
}
