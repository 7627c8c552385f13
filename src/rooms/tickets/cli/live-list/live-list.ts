import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Screen, ScreenEvents } from "../../../../platform/terminal/live-terminal.ts";
import { noStyle } from "../../../../platform/terminal/style.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";
import type { StatusWords } from "../status-words.ts";
import { describeTicket } from "../text/describe-ticket.ts";
import { changeTicket } from "./change-ticket.ts";
import { frame } from "./frame.ts";
import { keysIn } from "./keys.ts";
import { Loader } from "./loader.ts";
import type { LiveTickets } from "./open-live-list.ts";
import { press, type Wish } from "./press.ts";
import { initialState, type ListState, needsMore, openTicket, type Prompt, resize } from "./state.ts";

type ListParts = { app: App; tickets: LiveTickets; filter: TicketFilter; out: Output; words: StatusWords };

/** Connects keys, tickets and the screen; `press` decides what each key does, and `frame` how it looks. */
export class LiveList implements ScreenEvents {
  readonly #parts: ListParts;
  readonly #loader: Loader;
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  #state: ListState;
  #screen: Screen | undefined;
  #isEditing = false;

  constructor(parts: ListParts) {
    this.#parts = parts;
    this.#state = initialState(parts.filter, { columns: 80, rows: 24 });
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.#loader = new Loader(parts.tickets, {
      state: () => this.#state,
      changed: (state) => this.#become(state),
      failed: (error) => this.#showError(error),
    });
  }

  async run(screen: Screen): Promise<number> {
    const { tickets, out } = this.#parts;
    this.#screen = screen;
    this.resized();
    const unwatch = tickets.watch(() => this.#refresh());
    out.signal.addEventListener("abort", this.#end, { once: true });
    try {
      this.#loader.want("reload");
      if (out.signal.aborted) this.#end();
      await this.#ended;
    } finally {
      unwatch();
      this.#screen = undefined;
    }
    return 0;
  }

  readonly typed = (sent: string): void => {
    for (const key of keysIn(sent)) {
      // While the editor is open, keys are not for the list.
      if (this.#isEditing) return;
      const { state, wish } = press(this.#state, key);
      this.#become(state);
      if (wish) this.#grant(wish);
    }
  };

  readonly resized = (): void => {
    if (this.#screen) this.#become(resize(this.#state, this.#screen.size()));
  };

  readonly closed = (): void => this.#end();

  #become(state: ListState): void {
    this.#show(state);
    if (needsMore(state)) this.#loader.want("more");
  }

  #show(state: ListState): void {
    const { out, words } = this.#parts;
    this.#state = state;
    this.#screen?.draw(frame(state, out.style, words), out.style);
  }

  #grant(wish: Wish): void {
    if ("id" in wish) {
      const granted = wish.want === "open" ? this.#open(wish.id) : this.#leaveFor(wish.want, wish.id);
      granted.catch((error) => this.#showError(error));
    } else if (wish.want === "change") this.#change(wish.prompt).catch((error) => this.#showError(error));
    else if (wish.want === "quit") this.#end();
    else if (wish.want === "reload") this.#loader.want("reload");
    else this.resized();
  }

  async #open(id: string, isRedraw = false): Promise<void> {
    const ticket = await this.#parts.tickets.get(id, isRedraw);
    this.#become(openTicket(this.#state, id, describeTicket(ticket, { style: noStyle }, this.#parts.words)));
  }

  /** Gives the terminal to the editor, or to the command that runs the ticket. */
  async #leaveFor(what: "edit" | "run", id: string): Promise<void> {
    const { app, tickets, out } = this.#parts;
    this.#isEditing = true;
    try {
      const { editTicket } = await import("../editing/edit-ticket.ts");
      await this.#screen?.aside(async () => {
        if (what === "edit") await editTicket(app, id, out);
        else await tickets.run(id);
      });
    } finally {
      this.#isEditing = false;
      this.resized();
      this.#refresh();
    }
  }

  async #change(prompt: Prompt): Promise<void> {
    const { id, notice } = await changeTicket(this.#parts.tickets, prompt, this.#parts.words);
    this.#show({ ...this.#state, notice, follow: id });
    this.#refresh();
  }

  /** Loads the list again, and the ticket that is shown. */
  #refresh(): void {
    this.#loader.want("refresh");
    const { opened } = this.#state;
    if (opened) void this.#open(opened.id, true).catch((error) => this.#showError(error));
  }

  /** An error is shown in the last line, and the list continues; if nothing was loaded yet, it ends the list. */
  #showError(error: unknown): void {
    const notice = error instanceof ForgeError ? error.message : "Something went wrong inside Forge.";
    if (this.#state.isLoaded) this.#show({ ...this.#state, notice });
    else this.#fail(error);
  }
}
