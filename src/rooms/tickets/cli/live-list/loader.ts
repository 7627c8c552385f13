import type { TicketPage, TicketSummary } from "../../model/ticket.ts";
import type { TicketDesk } from "../desk.ts";
import { extended, filterOf, type ListState, needsMore, pageLimit, refreshed, wantedCount } from "./state.ts";

type Owner = {
  state(): ListState;
  changed(state: ListState): void;
  failed(error: unknown): void;
};

/** `reload` answers another question, `refresh` the same one anew, `more` goes on where the last page ended. */
type Want = "reload" | "refresh" | "more";

const urgency: Want[] = ["reload", "refresh", "more"];

/**
 * Asks the desk one question at a time. What is wanted meanwhile waits and is then asked once, however often it was wanted:
 * a fast typist gets an answer to the last letter, not to each.
 */
export class Loader {
  readonly #desk: TicketDesk;
  readonly #owner: Owner;
  readonly #wanted = new Set<Want>();
  #isBusy = false;

  constructor(desk: TicketDesk, owner: Owner) {
    this.#desk = desk;
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

  /** Whatever is asked anew answers the lesser wishes too. */
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
      const page = await this.#desk.list({
        ...filter,
        limit: pageLimit(wantedCount(before)),
        cursor: before.nextCursor,
      });
      this.#apply(before, (state) => extended(state, page));
      return;
    }
    const page = await this.#pages(
      before,
      want === "reload" ? wantedCount({ ...before, selected: 0 }) : wantedCount(before),
    );
    this.#apply(before, (state) => refreshed(state, page, want === "reload" ? 0 : undefined));
  }

  /** As many tickets from the first on, in as few questions as the desk allows. */
  async #pages(state: ListState, count: number): Promise<TicketPage> {
    const tickets: TicketSummary[] = [];
    let cursor: string | undefined;
    let stale: string | undefined;
    let incomplete = false;
    do {
      const limit = pageLimit(count - tickets.length);
      const page = await this.#desk.list({ ...filterOf(state), limit, ...(cursor !== undefined && { cursor }) });
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

  /** An answer to a question that nobody asks any more is left aside: the next one is on its way. */
  #apply(before: ListState, change: (state: ListState) => ListState): void {
    const state = this.#owner.state();
    const isSame = JSON.stringify(filterOf(before)) === JSON.stringify(filterOf(state));
    if (isSame) this.#owner.changed(change(state));
  }
}
