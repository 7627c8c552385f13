import { setImmediate as turn } from "node:timers/promises";
import { runWithin } from "../../../../platform/patterns/run-within.ts";
import { slowSyntax } from "../errors.ts";
import { type Fault, findFault, loadParsers, maxSyntaxBytes, type SyntaxText } from "./check-syntax.ts";

type WaitingText = SyntaxText & { done(fault: Fault | undefined): void };

const maxCharacters = 262_144;
const maxTexts = 64;
/** How long nothing else has its turn: some texts together, and one alone, by its length. */
const deadlines = { togetherMs: 250, aloneMs: 1_000, perFullLengthMs: 1_000 };
/** Each costs more than a thousand others. */
const maxSlowTexts = 8;
const tooSlow: Fault = { line: 1, message: "It takes too long to parse." };

/**
 * Parses texts, some at a time. A short text can be written so that its parser would take years: such a one is stopped, and where
 * there are many, so is the check.
 */
export class SyntaxBatches {
  readonly #signal: AbortSignal;
  readonly #slow: string[] = [];
  #waiting: WaitingText[] = [];
  #characters = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async add(text: WaitingText): Promise<void> {
    this.#waiting.push(text);
    this.#characters += text.text.length;
    if (this.#waiting.length >= maxTexts || this.#characters >= maxCharacters) await this.flush();
  }

  async flush(): Promise<void> {
    const texts = this.#waiting;
    [this.#waiting, this.#characters] = [[], 0];
    if (texts.length === 0) return;
    const parsers = await loadParsers(new Set(texts.map(({ language }) => language)));
    let at = 0;
    const parseRest = () => {
      for (let text = texts[at]; text; text = texts[++at]) text.done(findFault(text, parsers));
    };
    while (!runWithin(deadlines.togetherMs, parseRest)) {
      await this.#giveTurn();
      const text = texts[at++];
      // The machine may have been busy, or the others slow: alone, it has the full time.
      if (text) this.#parseAlone(text, parsers);
      await this.#giveTurn();
    }
  }

  #parseAlone(text: WaitingText, parsers: Awaited<ReturnType<typeof loadParsers>>): void {
    const { aloneMs, perFullLengthMs } = deadlines;
    let fault: Fault | undefined;
    const deadlineMs = aloneMs + Math.ceil(perFullLengthMs * (text.text.length / maxSyntaxBytes));
    const isDone = runWithin(deadlineMs, () => {
      fault = findFault(text, parsers);
    });
    text.done(isDone ? fault : tooSlow);
    if (isDone) return;
    this.#slow.push(text.path);
    if (this.#slow.length > maxSlowTexts) throw slowSyntax(this.#slow);
  }

  async #giveTurn(): Promise<void> {
    await turn();
    this.#signal.throwIfAborted();
  }
}
