import { createHash } from "node:crypto";
import type { Claiming } from "../../../commons/claims/index.ts";
import type { RemoteServer } from "../../../commons/remote/index.ts";
import { Copies, isAway } from "../../../commons/remote/offline/copies.ts";
import { ServerMemory } from "../../../commons/remote/offline/server-memory.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { requireId } from "../model/ids.ts";
import type {
  ChangeRecord,
  HistoryEntry,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketClaim,
  TicketDocument,
  TicketDraft,
  TicketFilter,
  TicketPage,
} from "../model/ticket.ts";
import type { Status } from "../model/status.ts";
import { isRecord } from "../reading/loose.ts";
import type {
  Author,
  ClaimableTickets,
  ImportedTicket,
  ImportOutcome,
  MovedTicket,
  OnExisting,
  WorkBase,
} from "../service/tickets.ts";
import { AecClient } from "./aec/aec-client.ts";
import { type TicketClient, isForgeServer } from "./ticket-client.ts";
import { Feed } from "./feed.ts";
import { ForgeClient } from "./forge-client.ts";
import { ClaimTraces } from "./claim-traces.ts";
import { ClaimKeeper } from "./claim-keeper.ts";
import { isOfflineCursor, OfflineQueries, listCopyName, ticketCopyName } from "./offline/offline-queries.ts";
import { type Pause, sleepUntil } from "./pause.ts";

export type RemoteTicketsOptions = {
  server: RemoteServer;
  copies?: Copies;
  /** The server's answer to who one is, where somebody has asked already. It tells which kind of server it is. */
  me?: Promise<unknown> | undefined;
  pause?: Pause | undefined;
};

const lookAgainMs = 30_000;
/** So long an answer that others asked for is as good as one of our own. */
const meGoodForMs = 5_000;

/**
 * Tickets on a server, with its rules. Read while it is away, they come from the last copy and say so; a change is made
 * there or not at all.
 */
export class RemoteTickets implements ClaimableTickets {
  readonly #server: RemoteServer;
  readonly #copies: Copies;
  readonly #pause: Pause | undefined;
  readonly #ending = new AbortController();
  readonly #holding: ClaimKeeper;
  readonly #memory: ServerMemory;
  readonly #openedAt = performance.now();
  #me: Promise<unknown> | undefined;
  #dialect: Promise<TicketClient> | undefined;

  constructor({ server, copies = new Copies(), me, pause }: RemoteTicketsOptions) {
    this.#server = server;
    this.#copies = copies;
    this.#memory = new ServerMemory(copies, server.address.api);
    this.#me = me;
    this.#pause = pause;
    const traces = new ClaimTraces(copies, () => this.#owner());
    this.#holding = new ClaimKeeper((by, id, minutes) => this.#keepClaim(by, id, minutes), traces, pause);
  }

  async get(id: string, options?: { partly?: boolean }): Promise<Ticket> {
    const name = requireId(id);
    return this.#read(
      ticketCopyName(name),
      (dialect) => dialect.get(name),
      (known) => known.find(name, options),
    );
  }

  list(filter: TicketFilter): Promise<TicketPage> {
    const ask = async (dialect: TicketClient) => {
      const { cursor, ...first } = filter;
      if (!isOfflineCursor(cursor)) return dialect.list(filter);
      // Where the server is away, the list goes on.
      await dialect.list({ ...first, limit: 1 });
      throw backAgain();
    };
    return this.#read(listCopyName(filter), ask, (known) => known.list(filter));
  }

  async suggest(
    typed: string,
    limit: number,
    among?: readonly Status[],
  ): Promise<{ id: string; title: string; status: Status }[]> {
    return (await this.#speaks()).suggest(typed, limit, among);
  }

  async history(id: string, limit?: number): Promise<HistoryEntry[]> {
    const name = requireId(id);
    const [owner, copyName] = [await this.#owner(), `history ${name} ${limit ?? ""}`];
    try {
      const history = await (await this.#speaks()).history(name, limit);
      this.#copies.keep(owner, copyName, history);
      return history;
    } catch (error) {
      const copy = isAway(error) ? await this.#copies.find(owner, copyName) : undefined;
      if (Array.isArray(copy?.value)) return copy.value;
      throw error;
    }
  }

  create(by: Author, draft: TicketDraft, options?: { status?: Status | undefined; foreign?: boolean }): Promise<Ticket> {
    return this.#write(by, undefined, (dialect) => dialect.create(by, draft, options));
  }

  update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    return this.#write(by, id, (dialect, as, name) => dialect.update(as, name, changes, expectedRevision));
  }

  async move(by: Author, id: string, status: Status): Promise<MovedTicket> {
    let outcome: MovedTicket | undefined;
    const ticket = await this.#write(by, id, async (dialect, as, name) => {
      outcome = await dialect.move(as, name, status);
      return outcome.ticket;
    });
    return { from: status, moved: false, ...outcome, ticket };
  }

  async claim(by: Author, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }> {
    return this.#write(by, id, (dialect, as, name) => dialect.claim(as, name, claiming));
  }

  async release(by: Author, id: string): Promise<Ticket> {
    const ticket = await this.#write(by, id, (dialect, as, name) => dialect.release(as, name));
    await this.#holding.forget(ticket.id);
    return ticket;
  }

  start(by: Author, id: string, base: WorkBase): Promise<Ticket> {
    return this.#write(by, id, (dialect, as, name) => dialect.start(as, name, base));
  }

  addQuestions(by: Author, id: string, questions: NewQuestion[]): Promise<Ticket> {
    return this.#write(by, id, (dialect, as, name) => dialect.addQuestions(as, name, questions));
  }

  answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket> {
    return this.#write(by, id, (dialect, as, name) => dialect.answer(as, name, answers));
  }

  complete(by: Author, id: string, record: ChangeRecord): Promise<Ticket> {
    return this.#write(by, id, (dialect, as, name) => dialect.complete(as, name, record));
  }

  async import(by: Author, tickets: ImportedTicket[], onExisting: OnExisting): Promise<ImportOutcome[]> {
    const outcomes = await nothingQueued(async () => (await this.#speaks()).import(by, tickets, onExisting));
    const changed = outcomes.filter(({ outcome }) => outcome === "added" || outcome === "replaced");
    nameTickets(
      by,
      changed.map(({ id }) => id),
    );
    return outcomes;
  }

  replace(by: Author, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket> {
    return this.#write(by, id, (dialect, as, name) => dialect.replace(as, name, document, expectedRevision));
  }

  watch(id: string | undefined, changed: () => void): () => void {
    const name = id === undefined ? undefined : requireId(id);
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#ending.signal]);
    void this.#follow(name, changed, signal);
    return () => ending.abort();
  }

  /** Claims it for this process, for as long as it runs, on a server that knows claims. */
  async hold(id: string, principal: Principal): Promise<void> {
    if ((await this.#speaks()).hasClaims) await this.#holding.hold(requireId(id), principal);
  }

  /** Gives back what this process holds, and ends what it listens to. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#holding.stop();
    await this.#copies.settled();
  }

  /** Of a server that is away nothing can be heard until it is back; reading tells what is wrong with it. */
  async #follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await (await this.#speaks()).follow(id, changed, signal);
      } catch {
        await (this.#pause ?? sleepUntil)(lookAgainMs, signal).catch(() => undefined);
      }
    }
  }

  /** Which kind of server it is, found out once. */
  #speaks(): Promise<TicketClient> {
    this.#dialect ??= this.#findOut();
    // Asked again where the server was away.
    this.#dialect.catch(() => (this.#dialect = undefined));
    return this.#dialect;
  }

  /** An answer that others asked for counts once, and not for long: a server that was away then may be back. */
  async #findOut(): Promise<TicketClient> {
    const me = performance.now() - this.#openedAt < meGoodForMs ? this.#me : undefined;
    this.#me = undefined;
    const isKnown = await this.#memory.isForge();
    const isForge = isKnown && !me ? true : await isForgeServer(this.#server, me);
    if (!isKnown && !isForge) return new AecClient(this.#server, this.#pause);
    if (!isKnown) this.#memory.noteForge();
    return new ForgeClient(this.#server, new Feed(this.#server, this.#pause));
  }

  async #read<T extends Ticket | TicketPage>(
    name: string,
    read: (dialect: TicketClient) => Promise<T>,
    otherwise: (known: OfflineQueries) => T | undefined,
  ): Promise<T> {
    const owner = await this.#owner();
    try {
      const value = await read(await this.#speaks());
      this.#copies.keep(owner, name, value);
      return value;
    } catch (error) {
      if (error instanceof ForgeError && error.code === "NOT_FOUND") this.#copies.forget(owner, name);
      if (!isAway(error)) throw error;
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
    write: (dialect: TicketClient, as: Author, name: string) => Promise<T>,
  ): Promise<T> {
    const name = id === undefined ? "" : requireId(id);
    const ticket = await nothingQueued(async () => write(await this.#speaks(), this.#holding.as(by, name), name));
    nameTickets(by, [ticket.id]);
    this.#copies.keep(await this.#owner(), ticketCopyName(ticket.id), ticket);
    return ticket;
  }

  async #keepClaim(by: Author, id: string, minutes: number | undefined): Promise<void> {
    const dialect = await this.#speaks();
    if (minutes === undefined) await dialect.release(by, id, { held: true });
    else await dialect.claim(by, id, { minutes, held: true });
  }

  /** A copy is for who read it: another person, or another team of theirs, may see other things. */
  async #owner(): Promise<string> {
    const { token, team, userId } = await this.#server.identity();
    const person = userId ?? createHash("sha256").update(token).digest("hex");
    return JSON.stringify([this.#server.address.api, team, person]);
  }
}

/** The ledger's entry is about the tickets by their proper ids, whatever they were called by. */
function nameTickets({ record }: Author, ids: readonly string[]): void {
  const others = record.about.filter((about) => !about.startsWith("ticket:"));
  record.about = [...ids.map((id) => `ticket:${id}`), ...others];
}

/** A change may begin with a look at the ticket: where that fails, nothing was changed, and nobody must hope it will be. */
async function nothingQueued<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isAway(error) || !(error instanceof ForgeError) || error.details?.["outcome"] !== undefined) throw error;
    throw new ForgeError(error.code, `${error.message} Nothing was changed and nothing is queued.`, {
      details: { ...error.details, outcome: "unchanged" },
      ...(error.next && { next: error.next }),
    });
  }
}

function backAgain(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The list was begun while the server was away; it is back.", {
    next: ["Ask for the first page again, without a cursor."],
  });
}
