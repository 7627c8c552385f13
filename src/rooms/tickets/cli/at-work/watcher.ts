import type { App } from "../../../../commons/cli/app.ts";
import type { CallRecord } from "../../../../kernel/call.ts";
import type { Status } from "../../model/status.ts";
import type { Ticket } from "../../model/ticket.ts";
import type { TicketDesk } from "../desk.ts";

type Told = { called?(entry: CallRecord): void; moved?(status: Status): void };

/** Sees what assistants do with a ticket, and where it goes. */
export class Watcher {
  readonly #desk: TicketDesk;
  readonly #told: Told;
  readonly #calls = new Set<string>();
  readonly #id: string;
  #status: Status;

  constructor(desk: TicketDesk, { id, status }: Ticket, told: Told = {}) {
    this.#desk = desk;
    this.#told = told;
    this.#id = id;
    this.#status = status;
  }

  get summary(): { ticketId: string; status: Status; calls: number } {
    return { ticketId: this.#id, status: this.#status, calls: this.#calls.size };
  }

  /** Until the signal is aborted. May be awaited later: a failure waits for that. */
  watch(app: Pick<App, "followActivity">, signal: AbortSignal): Promise<void> {
    const watching = this.#follow(app, signal);
    watching.catch(() => undefined);
    return watching;
  }

  async #follow(app: Pick<App, "followActivity">, signal: AbortSignal): Promise<void> {
    const unwatch = this.#desk.watch(this.#id, () => void this.look().catch(() => undefined));
    const filter = { limit: 0, since: undefined, name: undefined, about: `ticket:${this.#id}` };
    try {
      for await (const entry of app.followActivity(filter, signal)) {
        if (signal.aborted) break;
        this.#take(entry);
      }
    } catch (error) {
      // The ledger may be closed under our feet once everything ends.
      if (!signal.aborted) throw error;
    } finally {
      unwatch();
    }
  }

  /** Where the ticket stands now. */
  async look(): Promise<void> {
    const { status } = await this.#desk.get(this.#id);
    if (status === this.#status) return;
    this.#status = status;
    this.#told.moved?.(status);
  }

  /** Commands are people's, our own among them. */
  #take(entry: CallRecord): void {
    if (entry.kind === "command") return;
    this.#calls.add(entry.id);
    this.#told.called?.(entry);
  }
}
