import { createHash } from "node:crypto";
import type { Claiming } from "../../../commons/claims/index.ts";
import type { RemoteServer } from "../../../commons/remote/index.ts";
import { Copies, isServerAway } from "../../../commons/remote/offline/copies.ts";
import { ServerMemory } from "../../../commons/remote/offline/server-memory.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { requireId } from "../model/ids.ts";
import type { RecordEntry } from "../model/records/schema.ts";
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
  ClaimableTickets,
  CompleteOptions,
  ExistingIdPolicy,
  ImportedTicket,
  ImportOutcome,
  MovedTicket,
  Suggestion,
} from "../service/tickets.ts";
import { AecClient } from "./aec/aec-client.ts";
import { ClaimKeeper } from "./claim-keeper.ts";
import { ClaimTraces } from "./claim-traces.ts";
import { offlineCursorExpired } from "./errors.ts";
import { Feed } from "./feed.ts";
import { ForgeClient } from "./forge-client.ts";
import { isOfflineCursor, listCopyName, OfflineQueries, ticketCopyName } from "./offline/offline-queries.ts";
import { type Pause, sleepUntil } from "./pause.ts";
import { isForgeServer, type TicketClient } from "./ticket-client.ts";
import { withOutcome } from "./with-outcome.ts";

export type RemoteTicketsOptions = {
  server: RemoteServer;
  copies?: Copies;
  /** The server's answer to who the user is, if it was asked already. It tells which kind of server it is. */
  me?: Promise<unknown> | undefined;
  pause?: Pause | undefined;
};

const retryAfterMs = 30_000;
/** How long an earlier answer to who the user is can be used. */
const meValidMs = 5_000;

/**
 * Tickets on a server, with its rules. While it cannot be reached, reads are answered from the last copy and say so; a change
 * is made on the server or not at all.
 */
export class RemoteTickets implements ClaimableTickets {
  readonly #server: RemoteServer;
  readonly #copies: Copies;
  readonly #pause: Pause | undefined;
  readonly #ending = new AbortController();
  readonly #claims: ClaimKeeper;
  readonly #memory: ServerMemory;
  readonly #openedAt = performance.now();
  #me: Promise<unknown> | undefined;
  #client: Promise<TicketClient> | undefined;

  constructor({ server, copies = new Copies(), me, pause }: RemoteTicketsOptions) {
    this.#server = server;
    this.#copies = copies;
    this.#memory = new ServerMemory(copies, server.address.api);
    this.#me = me;
    this.#pause = pause;
    const traces = new ClaimTraces(copies, () => this.#owner());
    this.#claims = new ClaimKeeper((by, id, minutes) => this.#renewClaim(by, id, minutes), traces, pause);
  }

  async get(id: string, options?: { partly?: boolean }): Promise<Ticket> {
    const name = requireId(id);
    return this.#read(
      ticketCopyName(name),
      (client) => client.get(name),
      (known) => known.find(name, options),
    );
  }

  list(filter: TicketFilter): Promise<TicketPage> {
    const ask = async (client: TicketClient) => {
      const { cursor, ...first } = filter;
      if (!isOfflineCursor(cursor)) return client.list(filter);
      // Throws while the server is away; then the offline list continues.
      await client.list({ ...first, limit: 1 });
      throw offlineCursorExpired();
    };
    return this.#read(listCopyName(filter), ask, (known) => known.list(filter));
  }

  async suggest(typed: string, limit: number, among?: readonly Status[]): Promise<Suggestion[]> {
    return (await this.#connect()).suggest(typed, limit, among);
  }

  async history(id: string, limit?: number): Promise<HistoryEntry[]> {
    const name = requireId(id);
    const [owner, copyName] = [await this.#owner(), `history ${name} ${limit ?? ""}`];
    try {
      const history = await (await this.#connect()).history(name, limit);
      this.#copies.keep(owner, copyName, history);
      return history;
    } catch (error) {
      const copy = isServerAway(error) ? await this.#copies.find(owner, copyName) : undefined;
      if (Array.isArray(copy?.value)) return copy.value;
      throw error;
    }
  }

  create(
    by: Author,
    draft: TicketDraft,
    options?: { status?: Status | undefined; foreign?: boolean },
  ): Promise<Ticket> {
    return this.#write(by, undefined, (client) => client.create(by, draft, options));
  }

  update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.update(as, name, changes, expectedRevision));
  }

  async move(by: Author, id: string, status: Status, base?: WorkBase): Promise<MovedTicket> {
    let outcome: MovedTicket | undefined;
    const ticket = await this.#write(by, id, async (client, as, name) => {
      outcome = await client.move(as, name, status, base);
      return outcome.ticket;
    });
    return { from: status, moved: false, ...outcome, ticket };
  }

  async claim(by: Author, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }> {
    return this.#write(by, id, (client, as, name) => client.claim(as, name, claiming));
  }

  async release(by: Author, id: string): Promise<Ticket> {
    const ticket = await this.#write(by, id, (client, as, name) => client.release(as, name));
    await this.#claims.forget(ticket.id);
    return ticket;
  }

  start(by: Author, id: string, base: WorkBase): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.start(as, name, base));
  }

  addQuestions(by: Author, id: string, questions: NewQuestion[]): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.addQuestions(as, name, questions));
  }

  answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.answer(as, name, answers));
  }

  dismiss(by: Author, id: string, reasons: Record<string, string>): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.dismiss(as, name, reasons));
  }

  complete(by: Author, id: string, record: ChangeRecord, options?: CompleteOptions): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.complete(as, name, record, options));
  }

  record(by: Author, id: string, entry: RecordEntry): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.record(as, name, entry));
  }

  async next(limit: number): Promise<TicketSummary[]> {
    return (await this.#connect()).next(limit);
  }

  async import(by: Author, tickets: ImportedTicket[], onExisting: ExistingIdPolicy): Promise<ImportOutcome[]> {
    const outcomes = await withOutcome(async () => (await this.#connect()).import(by, tickets, onExisting));
    const changed = outcomes.filter(({ outcome }) => outcome === "added" || outcome === "replaced");
    nameTickets(
      by,
      changed.map(({ id }) => id),
    );
    return outcomes;
  }

  replace(by: Author, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket> {
    return this.#write(by, id, (client, as, name) => client.replace(as, name, document, expectedRevision));
  }

  watch(id: string | undefined, changed: () => void): () => void {
    const name = id === undefined ? undefined : requireId(id);
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#ending.signal]);
    void this.#follow(name, changed, signal);
    return () => ending.abort();
  }

  /** Does nothing on a server without claims. */
  async hold(id: string, principal: Principal): Promise<void> {
    if ((await this.#connect()).hasClaims) await this.#claims.hold(requireId(id), principal);
  }

  /** Releases what this process holds, and stops listening. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#claims.stop();
    await this.#copies.settle();
  }

  /** While the server cannot be reached, tries again from time to time; reading a ticket reports what is wrong. */
  async #follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await (await this.#connect()).follow(id, changed, signal);
      } catch {
        await (this.#pause ?? sleepUntil)(retryAfterMs, signal).catch(() => undefined);
      }
    }
  }

  /** The client for this kind of server, found out once. */
  #connect(): Promise<TicketClient> {
    this.#client ??= this.#chooseClient();
    // Tried again if the server could not be reached.
    this.#client.catch(() => (this.#client = undefined));
    return this.#client;
  }

  /** The earlier answer is used once, and not for long: a server that was away then may be back. */
  async #chooseClient(): Promise<TicketClient> {
    const me = performance.now() - this.#openedAt < meValidMs ? this.#me : undefined;
    this.#me = undefined;
    const isKnown = await this.#memory.isForge();
    const isForge = isKnown && !me ? true : await isForgeServer(this.#server, me);
    if (!isKnown && !isForge) return new AecClient(this.#server, this.#pause);
    if (!isKnown) this.#memory.noteForge();
    return new ForgeClient(this.#server, new Feed(this.#server, this.#pause));
  }

  async #read<T extends Ticket | TicketPage>(
    name: string,
    read: (client: TicketClient) => Promise<T>,
    otherwise: (known: OfflineQueries) => T | undefined,
  ): Promise<T> {
    const owner = await this.#owner();
    try {
      const value = await read(await this.#connect());
      this.#copies.keep(owner, name, value);
      return value;
    } catch (error) {
      if (error instanceof ForgeError && error.code === "NOT_FOUND") this.#copies.forget(owner, name);
      if (!isServerAway(error)) throw error;
      const copy = await this.#copies.find(owner, name);
      if (isRecord(copy?.value)) return { ...(copy.value as T), stale: copy.at };
      const answer = otherwise(new OfflineQueries(await this.#copies.all(owner)));
      if (answer) return answer;
      throw error;
    }
  }

  async #write<T extends Ticket>(
    by: Author,
    id: string | undefined,
    write: (client: TicketClient, as: Author, name: string) => Promise<T>,
  ): Promise<T> {
    const name = id === undefined ? "" : requireId(id);
    const ticket = await withOutcome(async () => write(await this.#connect(), this.#claims.as(by, name), name));
    nameTickets(by, [ticket.id]);
    this.#copies.keep(await this.#owner(), ticketCopyName(ticket.id), ticket);
    return ticket;
  }

  async #renewClaim(by: Author, id: string, minutes: number | undefined): Promise<void> {
    const client = await this.#connect();
    if (minutes === undefined) await client.release(by, id, { held: true });
    else await client.claim(by, id, { minutes, held: true });
  }

  /** Copies belong to their reader: another user, or another team of the same user, may see other tickets. */
  async #owner(): Promise<string> {
    const { token, team, userId } = await this.#server.identity();
    const person = userId ?? createHash("sha256").update(token).digest("hex");
    return JSON.stringify([this.#server.address.api, team, person]);
  }
}

/** The ledger entry names tickets by their ids, whatever the caller called them by. */
function nameTickets({ record }: Author, ids: readonly string[]): void {
  const others = record.about.filter((about) => !about.startsWith("ticket:"));
  record.about = [...ids.map((id) => `ticket:${id}`), ...others];
}
