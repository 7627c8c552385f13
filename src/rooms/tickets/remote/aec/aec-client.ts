import { path, type RemoteServer } from "../../../../commons/remote/index.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { questionNotFound } from "../../model/errors.ts";
import type { Status } from "../../model/status.ts";
import type {
  ChangeRecord,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketDocument,
  TicketDraft,
  TicketPage,
  TicketSummary,
  WorkBase,
} from "../../model/ticket.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";
import { readFacts } from "../../reading/facts.ts";
import type { Author, MovedTicket, Suggestion } from "../../service/tickets.ts";
import { changedMeanwhile, notSupported, partlyWritten, unexpectedAnswer } from "../errors.ts";
import type { Pause } from "../pause.ts";
import type { TicketClient } from "../ticket-client.ts";
import { buildPatch, diffTicket } from "./aec-changes.ts";
import { AecPeople } from "./aec-people.ts";
import { AecReader } from "./aec-reader.ts";
import { StatusAliases } from "./status-aliases.ts";

type ReviewedQuestion = { question: string; answer?: string | undefined };

const noSummary = "No summary was given.";

/**
 * Tickets on an AEC server: no pages, revisions, claims or history, other names for statuses, and an error for every field it
 * does not know. It has no idempotency keys either, so no change is sent twice.
 */
export class AecClient implements TicketClient {
  readonly hasClaims = false;
  readonly #server: RemoteServer;
  readonly #reader: AecReader;
  readonly #people: AecPeople;
  readonly #aliases = new StatusAliases();

  constructor(server: RemoteServer, pause: Pause | undefined) {
    this.#server = server;
    this.#people = new AecPeople(server);
    this.#reader = new AecReader(server, this.#aliases, this.#people, pause);
  }

  get(id: string): Promise<Ticket> {
    return this.#reader.get(id);
  }

  list(filter: TicketFilter): Promise<TicketPage> {
    return this.#reader.list(filter);
  }

  suggest(typed: string, limit: number, among?: readonly Status[]): Promise<Suggestion[]> {
    return this.#reader.suggest(typed, limit, among);
  }

  follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    return this.#reader.follow(id, changed, signal);
  }

  async history(): Promise<never> {
    throw this.#notSupported("keeps no history of tickets");
  }

  /** The first request takes a few fields only; the others follow, and if that fails the error says so. */
  async create(by: Author, draft: TicketDraft, { status }: { status?: Status | undefined } = {}): Promise<Ticket> {
    const { title, description, type, priority, assignee, ...rest } = draft;
    const made = await this.#send("POST", path`/tickets`, by, { title, description, type, priority });
    try {
      const written = await this.update(by, made.id, { ...rest, ...(assignee !== undefined && { assignee }) });
      return status === undefined ? written : (await this.move(by, made.id, status)).ticket;
    } catch (error) {
      throw asPartial(error, made.id, "was created, but not all of it could be saved");
    }
  }

  async update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    const { assignee, ...fields } = changes;
    let ticket = await this.#requireRevision(id, expectedRevision);
    const patch = buildPatch(ticket, fields);
    if (Object.keys(patch).length > 0) ticket = await this.#send("PATCH", path`/tickets/${id}`, by, patch);
    if (assignee === undefined || assignee === (ticket.assignee ?? null)) return ticket;
    try {
      return await this.#assign(by, id, assignee);
    } catch (error) {
      throw Object.keys(patch).length > 0 ? asPartial(error, id, "was changed, but not its assignee") : error;
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
    throw this.#notSupported("does not support claims");
  }

  async release(): Promise<never> {
    throw this.#notSupported("does not support claims");
  }

  /** It does not record where work started. Not every user can assign there; then the ticket stays unassigned. */
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
    const answered = new Map(
      asked.flatMap(({ question, answer }) => (answer === undefined ? [] : [[question, answer]])),
    );
    const withAnswer = ({ question, answer }: ReviewedQuestion) => ({
      question,
      answer: answered.get(question) ?? answer,
    });
    return this.#review(by, id, [...questions, ...added].map(withAnswer));
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

  async complete(
    by: Author,
    id: string,
    { executionSummary, filesChanged, divergences }: ChangeRecord,
  ): Promise<Ticket> {
    const body = { executionSummary: executionSummary ?? noSummary, filesChanged, divergences };
    return this.#send("POST", path`/tickets/${id}/settle`, by, body);
  }

  async dismiss(): Promise<never> {
    throw this.#notSupported("cannot dismiss questions");
  }

  async record(): Promise<Ticket> {
    throw this.#notSupported("keeps no comments, work or checks");
  }

  async next(): Promise<TicketSummary[]> {
    throw this.#notSupported("cannot tell what to start next");
  }

  async import(): Promise<never> {
    throw this.#notSupported("does not support imports");
  }

  async replace(by: Author, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket> {
    const before = await this.#requireRevision(id, expectedRevision);
    const ticket = await this.update(by, id, diffTicket(before, document));
    const { status } = readFacts(document);
    if (status === undefined) return ticket;
    try {
      return (await this.move(by, id, status)).ticket;
    } catch (error) {
      throw ticket.revision === before.revision ? error : asPartial(error, id, "was changed, but not its status");
    }
  }

  /** Until the server's version is known, several names may have to be tried; it rejects those it does not know. */
  async #setStatus(by: Author, id: string, status: Status): Promise<Ticket> {
    const [first, ...others] = this.#aliases.aliasesOf(status);
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

  async #requireRevision(id: string, revision: number | undefined): Promise<Ticket> {
    const ticket = await this.get(id);
    if (revision === undefined || revision === ticket.revision) return ticket;
    throw changedMeanwhile(id, revision, ticket.revision);
  }

  async #assign(by: Author, id: string, assignee: string | null): Promise<Ticket> {
    const userId = assignee === null ? null : await this.#people.idOf(assignee);
    return this.#send("PATCH", path`/tickets/${id}/assign`, by, { userId });
  }

  #review(by: Author, id: string, questions: readonly ReviewedQuestion[]): Promise<Ticket> {
    const qaItems = questions.map(({ question, answer = "" }) => ({ question, answer }));
    return this.#send("POST", path`/tickets/${id}/review-session`, by, { qaItems });
  }

  /** A change is answered in several shapes; if it is not a ticket, the ticket is read. */
  async #send(method: "POST" | "PATCH", to: ReturnType<typeof path>, by: Author, body: object = {}): Promise<Ticket> {
    const sent = await this.#server.request(method, to, { body, by: by.principal, withoutKey: true });
    if (isRecord(sent) && typeof sent["id"] === "string" && typeof sent["title"] === "string")
      return this.#reader.parse(sent);
    const [, id] = /^\/tickets\/([^/]{1,300})/.exec(to) ?? [];
    if (id === undefined) throw unexpectedAnswer("the new ticket");
    return this.get(decodeURIComponent(id));
  }

  #notSupported(what: string): ForgeError {
    return notSupported(this.#server.address.origin, what);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ForgeError && error.code === "VALIDATION_ERROR";
}

function asPartial(error: unknown, id: string, what: string): unknown {
  return error instanceof ForgeError ? partlyWritten(error, id, what) : error;
}
