import type { CallRecord } from "../../kernel/call.ts";
import type { Recorder } from "../../kernel/invoke.ts";
import { limits, shown } from "./model.ts";

type Entry = Omit<ReturnType<typeof shown>, "seq" | "principal">;

type RelayOptions = {
  /** The laptop's own, which everything is in first. */
  recorder: Recorder;
  send(entries: Entry[]): Promise<unknown>;
  failing(error: unknown): void;
  delayMs?: number;
};

const usualDelayMs = 1_000;
const mostWaiting = 1_000;

/**
 * Tells the team's ledger what was done here. What cannot be told now is told later, with the same ids, so that it is there
 * once; what is too much to keep waiting stays in the laptop's own ledger. No call waits for it.
 */
export class Relay implements Recorder {
  readonly #options: RelayOptions;
  #waiting: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  open(record: CallRecord): Promise<void> {
    return this.#options.recorder.open(record);
  }

  async close(record: CallRecord): Promise<void> {
    await this.#options.recorder.close(record);
    // What is typed for an argument is nothing that was done.
    if (record.kind === "completion") return;
    const { seq: _, principal: __, ...entry } = shown({ ...record, seq: 0 });
    this.#waiting = [...this.#waiting, entry].slice(-mostWaiting);
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.delayMs ?? usualDelayMs).unref();
  }

  /** Sends what waits; what cannot be sent goes on waiting. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, limits.relayed);
      try {
        await this.#options.send(batch);
      } catch (error) {
        if (!this.#isFailing) this.#options.failing(error);
        this.#isFailing = true;
        return;
      }
      this.#isFailing = false;
      const sent = new Set(batch);
      this.#waiting = this.#waiting.filter((entry) => !sent.has(entry));
    }
  }
}
