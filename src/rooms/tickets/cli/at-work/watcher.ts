import type { ActivityLog } from "../../../../commons/cli/app.ts";
import type { CallRecord } from "../../../../kernel/calls/call.ts";
import type { Status } from "../../model/status.ts";
import type { Tickets } from "../../service/tickets.ts";

type Events = { called?(entry: CallRecord): void; moved?(status: Status): void };

export type WatchedTickets = Pick<Tickets, "get" | "watch">;

/** Follows what assistants do with a ticket, and its status. */
export class Watcher {
  readonly #tickets: WatchedTickets;
  readonly #events: Events;
  readonly #calls = new Set<string>();
  readonly #id: string;
  #status: Status;

  constructor(tickets: WatchedTickets, { id, status }: { id: string; status: Status }, events: Events = {}) {
    this.#tickets = tickets;
    this.#events = events;
    this.#id = id;
    this.#status = status;
  }

  get summary(): { ticketId: string; status: Status; calls: number } {
    return { ticketId: this.#id, status: this.#status, calls: this.#calls.size };
  }

  /** Until the signal is aborted. Can be awaited later: a failure is kept until then. */
  watch(ledger: Pick<ActivityLog, "follow">, signal: AbortSignal): Promise<void> {
    const watching = this.#follow(ledger, signal);
    watching.catch(() => undefined);
    return watching;
  }

  async #follow(ledger: Pick<ActivityLog, "follow">, signal: AbortSignal): Promise<void> {
    const unwatch = this.#tickets.watch(this.#id, () => void this.readStatus().catch(() => undefined));
    const filter = { limit: 0, since: undefined, name: undefined, about: `ticket:${this.#id}` };
    try {
      for await (const entry of ledger.follow(filter, signal)) {
        if (signal.aborted) break;
        this.#addCall(entry);
      }
    } catch (error) {
      // The ledger can be closed before this notices that everything ends.
      if (!signal.aborted) throw error;
    } finally {
      unwatch();
    }
  }

  /** Reads the ticket's current status. */
  async readStatus(): Promise<void> {
    const { status } = await this.#tickets.get(this.#id);
    if (status === this.#status) return;
    this.#status = status;
    this.#events.moved?.(status);
  }

  /** Commands are those of people, including our own. */
  #addCall(entry: CallRecord): void {
    if (entry.kind === "command") return;
    this.#calls.add(entry.id);
    this.#events.called?.(entry);
  }
}
