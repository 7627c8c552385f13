import type { TicketPage, TicketSummary } from "../../model/ticket.ts";
import type { LiveTickets } from "./open-live-list.ts";
import { addPage, filterOf, type ListState, needsMore, pageLimit, replacePage, wantedCount } from "./state.ts";

type Owner = {
  state(): ListState;
  changed(state: ListState): void;
  failed(error: unknown): void;
};

/** `reload` is for another filter, `refresh` for the same one, `more` continues after the last page. */
type Want = "reload" | "refresh" | "more";

const urgency: Want[] = ["reload", "refresh", "more"];

/**
 * Loads one page at a time. What is wanted in the meantime waits and is then loaded once, however often it was wanted: after
 * fast typing, only the last filter is loaded.
 */
export class Loader {
  readonly #tickets: LiveTickets;
  readonly #owner: Owner;
  readonly #wanted = new Set<Want>();
  #isBusy = false;

  constructor(tickets: LiveTickets, owner: Owner) {
    this.#tickets = tickets;
    this.#owner = owner;
  }

  want(what: Want): void {
    this.#wanted.add(what);
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let want = this.#next(); want; want = this.#next()) {
      try {
        await this.#load(want);
      } catch (error) {
        this.#owner.failed(error);
      }
    }
    this.#isBusy = false;
  }

  /** A reload or a refresh makes the lesser wishes unnecessary. */
  #next(): Want | undefined {
    const want = urgency.find((one) => this.#wanted.has(one));
    if (want === "more") this.#wanted.delete(want);
    else this.#wanted.clear();
    return want;
  }

  async #load(want: Want): Promise<void> {
    const before = this.#owner.state();
    const filter = filterOf(before);
    if (want === "more") {
      if (!needsMore(before) || before.nextCursor === undefined) return;
      const page = await this.#tickets.list({
        ...filter,
        limit: pageLimit(wantedCount(before)),
        cursor: before.nextCursor,
      });
      this.#apply(before, (state) => addPage(state, page));
      return;
    }
    const page = await this.#pages(
      before,
      want === "reload" ? wantedCount({ ...before, selected: 0 }) : wantedCount(before),
    );
    this.#apply(before, (state) => replacePage(state, page, want === "reload" ? 0 : undefined));
  }

  /** The first `count` tickets, in as few pages as possible. */
  async #pages(state: ListState, count: number): Promise<TicketPage> {
    const tickets: TicketSummary[] = [];
    let cursor: string | undefined;
    let stale: string | undefined;
    let incomplete = false;
    do {
      const limit = pageLimit(count - tickets.length);
      const page = await this.#tickets.list({ ...filterOf(state), limit, ...(cursor !== undefined && { cursor }) });
      tickets.push(...page.tickets);
      stale ??= page.stale;
      incomplete ||= page.incomplete ?? false;
      cursor = page.nextCursor;
    } while (cursor !== undefined && tickets.length < count);
    return {
      tickets,
      ...(cursor !== undefined && { nextCursor: cursor }),
      ...(stale !== undefined && { stale }),
      ...(incomplete && { incomplete }),
    };
  }

  /** A page for a filter that is no longer set is ignored: the next one is being loaded. */
  #apply(before: ListState, change: (state: ListState) => ListState): void {
    const state = this.#owner.state();
    const isSame = JSON.stringify(filterOf(before)) === JSON.stringify(filterOf(state));
    if (isSame) this.#owner.changed(change(state));
  }
}
