import type { Style } from "../../kernel/definitions/command.ts";
import { stripEscapes } from "./style.ts";

export type Size = { columns: number; rows: number };

export type ScreenEvents = {
  /** What the person typed, as the terminal sends it. */
  typed(sent: string): void;
  resized(): void;
  /** The terminal is gone. */
  closed(): void;
};

export type Screen = {
  size(): Size;
  /** Redraws the screen, one text a row; none may be wider than the screen. */
  draw(lines: readonly string[], style: Style): void;
  /** Gives the terminal back for as long as the work lasts. */
  aside<T>(work: () => Promise<T>): Promise<T>;
};

export type LiveTerminal = {
  /** Has the whole screen and every key until the work ends, however it does; then the terminal is as it was. */
  takeOver<T>(events: ScreenEvents, work: (screen: Screen) => Promise<T>): Promise<T>;
};

/** `process`, or a substitute for it. */
type TerminalProcess = {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  on(event: "exit" | "uncaughtExceptionMonitor", listener: () => void): unknown;
  removeListener(event: "exit" | "uncaughtExceptionMonitor", listener: () => void): unknown;
};

const enter = "\x1b[?1049h\x1b[?25l";
const leave = "\x1b[?25h\x1b[?1049l";
const endings = ["exit", "uncaughtExceptionMonitor"] as const;

export function liveTerminal(surroundings: TerminalProcess, term: string | undefined): LiveTerminal | undefined {
  const { stdin, stdout } = surroundings;
  if (!stdin.isTTY || !stdout.isTTY || term === "dumb") return undefined;
  return {
    async takeOver(events, work) {
      const taken = new TakenTerminal(surroundings, events);
      taken.take();
      try {
        return await work(taken);
      } finally {
        taken.giveBack();
      }
    },
  };
}

class TakenTerminal implements Screen {
  readonly #surroundings: TerminalProcess;
  readonly #events: ScreenEvents;
  readonly #wasRaw: boolean;
  #isTaken = false;

  constructor(surroundings: TerminalProcess, events: ScreenEvents) {
    this.#surroundings = surroundings;
    this.#events = events;
    this.#wasRaw = surroundings.stdin.isRaw;
    // Never removed: a terminal that is gone may report it late, and that is not an error.
    surroundings.stdin.on("error", events.closed);
    surroundings.stdout.on("error", events.closed);
  }

  size(): Size {
    const { columns, rows } = this.#surroundings.stdout;
    // Some terminals say 0 until they are shown.
    return { columns: columns || 80, rows: rows || 24 };
  }

  draw(lines: readonly string[], style: Style): void {
    if (!this.#isTaken) return;
    const shown = lines.map((line, row) => `\x1b[${row + 1};1H${stripEscapes(line, style)}\x1b[K`);
    this.#surroundings.stdout.write(`${shown.join("")}\x1b[J`);
  }

  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.giveBack();
    try {
      return await work();
    } finally {
      this.take();
    }
  }

  take(): void {
    const { stdin, stdout } = this.#surroundings;
    this.#isTaken = true;
    stdin.setRawMode(true);
    stdin.setEncoding("utf8");
    stdin.on("data", this.#events.typed).on("end", this.#events.closed);
    stdin.resume();
    stdout.on("resize", this.#events.resized);
    // Before a fault is reported, so that the report is not lost with our screen.
    for (const ending of endings) this.#surroundings.on(ending, this.giveBack);
    stdout.write(enter);
  }

  readonly giveBack = (): void => {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    const { stdin, stdout } = this.#surroundings;
    stdout.write(leave);
    stdin.off("data", this.#events.typed).off("end", this.#events.closed);
    stdin.pause();
    stdin.setRawMode(this.#wasRaw);
    stdout.off("resize", this.#events.resized);
    for (const ending of endings) this.#surroundings.removeListener(ending, this.giveBack);
  };
}
