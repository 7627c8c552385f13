import { path, type RemoteServer } from "../../../../commons/remote/index.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { questionNotFound } from "../../model/errors.ts";
import type {
  ChangeRecord,
  NewQuestion,
  Question,
  Ticket,
  TicketChanges,
  TicketDocument,
  TicketDraft,
  TicketFilter,
  TicketPage,
} from "../../model/ticket.ts";
import type { Status } from "../../model/status.ts";
import { readFacts } from "../../reading/facts.ts";
import { isRecord } from "../../reading/loose.ts";
import type { Author, MovedTicket, WorkBase } from "../../service/tickets.ts";
import type { TicketClient } from "../ticket-client.ts";
import type { Pause } from "../pause.ts";
import { unexpectedAnswer } from "../mappers.ts";
import { diffTicket, buildPatch } from "./aec-changes.ts";
import { AecPeople } from "./aec-people.ts";
import { AecReader } from "./aec-reader.ts";
import { StatusAliases } from "./status-aliases.ts";

const noSummary = "No summary was given.";

/**
 * Tickets on a server of the original kind: no pages, revisions, claims or history, other words for statuses, and a refusal
 * for every field it does not know. It knows no idempotency keys either, so that no change is sent to it twice.
 */
export class AecClient implements TicketClient {
  readonly hasClaims = false;
  readonly #server: RemoteServer;
  readonly #reader: AecReader;
  readonly #people: AecPeople;
  readonly #spoken = new StatusAliases();

  constructor(server: RemoteServer, pause: Pause | undefined) {
    this.#server = server;
    this.#people = new AecPeople(server);
    this.#reader = new AecReader(server, this.#spoken, this.#people, pause);
  }

  get(id: string): Promise<Ticket> {
    return this.#reader.get(id);
  }

  list(filter: TicketFilter): Promise<TicketPage> {
    return this.#reader.list(filter);
  }

  suggest(
    typed: string,
    limit: number,
    among?: readonly Status[],
  ): Promise<{ id: string; title: string; status: Status }[]> {
    return this.#reader.suggest(typed, limit, among);
  }

  follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    return this.#reader.follow(id, changed, signal);
  }

  async history(): Promise<never> {
    throw this.#without("keeps no history of tickets");
  }

  /** Made with what its creation takes; the rest follows, and where that fails it is said what there is. */
  async create(by: Author, draft: TicketDraft, { status }: { status?: Status | undefined } = {}): Promise<Ticket> {
    const { title, description, type, priority, assignee, ...rest } = draft;
    const made = await this.#send("POST", path`/tickets`, by, { title, description, type, priority });
    try {
      const written = await this.update(by, made.id, { ...rest, ...(assignee !== undefined && { assignee }) });
      return status === undefined ? written : (await this.move(by, made.id, status)).ticket;
    } catch (error) {
      throw halfWritten(error, made.id, "was made, but not all of it could be written");
    }
  }

  async update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    const { assignee, ...fields } = changes;
    let ticket = await this.#expected(id, expectedRevision);
    const patch = buildPatch(ticket, fields);
    if (Object.keys(patch).length > 0) ticket = await this.#send("PATCH", path`/tickets/${id}`, by, patch);
    if (assignee === undefined || assignee === (ticket.assignee ?? null)) return ticket;
    try {
      return await this.#assign(by, id, assignee);
    } catch (error) {
      throw Object.keys(patch).length > 0 ? halfWritten(error, id, "was changed, but not its assignee") : error;
    }
  }

  async move(by: Author, id: string, status: Status): Promise<MovedTicket> {
    const before = await this.get(id);
    const from = before.status;
    if (from === status) return { ticket: before, from, moved: false };
    if (status === "ARCHIVED") {
      return { ticket: await this.#send("PATCH", path`/tickets/${id}/archive`, by), from, moved: true };
    }
    const back = from === "ARCHIVED" ? await this.#send("PATCH", path`/tickets/${id}/unarchive`, by) : before;
    if (back.status === status) return { ticket: back, from, moved: true };
    return { ticket: await this.#setStatus(by, id, status), from, moved: true };
  }

  async claim(): Promise<never> {
    throw this.#without("knows no claims");
  }

  async release(): Promise<never> {
    throw this.#without("knows no claims");
  }

  /** It keeps no note of where work began. Not everybody may assign there; then the ticket stays nobody's. */
  async start(by: Author, id: string, _base: WorkBase): Promise<Ticket> {
    const ticket = await this.get(id);
    const { userId } = await this.#server.identity();
    if (ticket.assignee !== undefined || userId === undefined) return ticket;
    try {
      return await this.#assign(by, id, userId);
    } catch (error) {
      if (error instanceof ForgeError && ["PERMISSION_DENIED", "VALIDATION_ERROR"].includes(error.code)) return ticket;
      throw error;
    }
  }

  async addQuestions(by: Author, id: string, asked: NewQuestion[]): Promise<Ticket> {
    const { questions } = await this.get(id);
    const known = new Set(questions.map(({ question }) => question));
    const added = asked.filter(({ question }) => !known.has(question) && known.add(question));
    return this.#review(by, id, [...questions, ...added]);
  }

  async answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket> {
    const { questions } = await this.get(id);
    const given = new Map(Object.entries(answers).map(([name, answer]) => [name.toLowerCase(), answer]));
    const ids = questions.map((question) => question.id);
    const unknown = Object.keys(answers).find(
      (name) => !ids.some((known) => known.toLowerCase() === name.toLowerCase()),
    );
    if (unknown !== undefined) throw questionNotFound(id, unknown, ids);
    return this.#review(
      by,
      id,
      questions.map((question) => {
        const answer = given.get(question.id.toLowerCase()) ?? question.answer;
        return { ...question, ...(answer !== undefined && { answer }) };
      }),
    );
  }

  async complete(by: Author, id: string, { executionSummary, filesChanged, divergences }: ChangeRecord): Promise<Ticket> {
    const body = { executionSummary: executionSummary ?? noSummary, filesChanged, divergences };
    return this.#send("POST", path`/tickets/${id}/settle`, by, body);
  }

  async import(): Promise<never> {
    throw this.#without("takes no imports");
  }

  async replace(by: Author, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket> {
    const before = await this.#expected(id, expectedRevision);
    const ticket = await this.update(by, id, diffTicket(before, document));
    const { status } = readFacts(document);
    if (status === undefined) return ticket;
    try {
      return (await this.move(by, id, status)).ticket;
    } catch (error) {
      throw ticket.revision === before.revision ? error : halfWritten(error, id, "was changed, but not its status");
    }
  }

  /** Of a server that has not said enough yet, more than one word may have to be tried; one it does not know, it refuses. */
  async #setStatus(by: Author, id: string, status: Status): Promise<Ticket> {
    const [first, ...others] = this.#spoken.aliasesOf(status);
    const set = (word: string) => this.#send("PATCH", path`/tickets/${id}`, by, { status: word });
    try {
      return await set(first);
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      for (const word of others) {
        const ticket = await set(word).catch((error) => (isRefusal(error) ? undefined : Promise.reject(error)));
        if (ticket) return ticket;
      }
      throw refusal;
    }
  }

  async #expected(id: string, revision: number | undefined): Promise<Ticket> {
    const ticket = await this.get(id);
    if (revision === undefined || revision === ticket.revision) return ticket;
    throw new ForgeError("CONFLICT_ERROR", `${id} was changed meanwhile, so nothing was written.`, {
      details: { expectedRevision: revision, currentRevision: ticket.revision },
      next: ["Read it again, decide whether your change still fits, and send it with the current revision."],
    });
  }

  async #assign(by: Author, id: string, assignee: string | null): Promise<Ticket> {
    const userId = assignee === null ? null : await this.#people.idOf(assignee);
    return this.#send("PATCH", path`/tickets/${id}/assign`, by, { userId });
  }

  #review(by: Author, id: string, questions: readonly Pick<Question, "question" | "answer">[]): Promise<Ticket> {
    const qaItems = questions.map(({ question, answer = "" }) => ({ question, answer }));
    return this.#send("POST", path`/tickets/${id}/review-session`, by, { qaItems });
  }

  /** Answers to a change are of several shapes; where it is no ticket, the ticket is asked for. */
  async #send(method: "POST" | "PATCH", to: ReturnType<typeof path>, by: Author, body: object = {}): Promise<Ticket> {
    const sent = await this.#server.request(method, to, { body, by: by.principal, withoutKey: true });
    if (isRecord(sent) && typeof sent["id"] === "string" && typeof sent["title"] === "string")
      return this.#reader.parse(sent);
    const [, id] = /^\/tickets\/([^/]{1,300})/.exec(to) ?? [];
    if (id === undefined) throw unexpectedAnswer("the ticket it was to make");
    return this.get(decodeURIComponent(id));
  }

  #without(what: string): ForgeError {
    const { origin } = this.#server.address;
    return new ForgeError("VALIDATION_ERROR", `The server at ${origin} ${what}. Nothing was changed.`, {
      details: { server: origin },
      next: ["Go on without it; a Forge server (`forge serve`) and local tickets can do this."],
    });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ForgeError && error.code === "VALIDATION_ERROR";
}

function halfWritten(error: unknown, id: string, what: string): unknown {
  if (!(error instanceof ForgeError)) return error;
  return new ForgeError(error.code, `${id} ${what}: ${error.message}`, {
    details: { ...error.details, ticketId: id, outcome: "partial" },
    next: [`Look at ${id} and change what is missing.`, ...(error.next ?? [])],
  });
}
