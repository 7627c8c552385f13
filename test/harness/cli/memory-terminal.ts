import type { LiveTerminal, Screen, ScreenEvents, Size } from "../../../src/platform/terminal/live-terminal.ts";

/** A terminal in memory: tests press keys and read the screen. */
export class MemoryTerminal implements LiveTerminal {
  size: Size = { columns: 80, rows: 24 };
  lines: readonly string[] = [];
  isTaken = false;
  /** How often it was released for something else. */
  asides = 0;
  #events: ScreenEvents | undefined;
  readonly #waiting = new Set<() => void>();

  async takeOver<T>(events: ScreenEvents, work: (screen: Screen) => Promise<T>): Promise<T> {
    this.#events = events;
    this.isTaken = true;
    try {
      return await work({
        size: () => this.size,
        draw: (lines) => this.#draw(lines),
        aside: async (other) => {
          this.isTaken = false;
          this.asides++;
          try {
            return await other();
          } finally {
            this.isTaken = true;
          }
        },
      });
    } finally {
      this.isTaken = false;
    }
  }

  get screen(): string {
    return this.lines.join("\n");
  }

  press(sent: string): void {
    this.#events?.typed(sent);
  }

  resize(size: Size): void {
    this.size = size;
    this.#events?.resized();
  }

  close(): void {
    this.#events?.closed();
  }

  /** Waits until this is on the screen. */
  async until(look: string | ((screen: string) => boolean)): Promise<void> {
    const isThere = () => (typeof look === "string" ? this.screen.includes(look) : look(this.screen));
    while (!isThere()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #draw(lines: readonly string[]): void {
    this.lines = lines;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
