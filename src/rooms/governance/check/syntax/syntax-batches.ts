import { runWithin } from "../../../../platform/patterns/run-within.ts";
import { type Fault, findFault, loadParsers, type SyntaxText } from "./check-syntax.ts";

type WaitingText = SyntaxText & { done(fault: Fault | undefined): void };

const maxCharacters = 262_144;
const maxTexts = 64;
const deadlineMs = 2_000;
const tooSlow: Fault = { line: 1, message: "It takes too long to parse." };

/** Parses texts, some at a time. A short text can be written so that its parser would take years: such a one is stopped. */
export class SyntaxBatches {
  #waiting: WaitingText[] = [];
  #characters = 0;

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
    while (!runWithin(deadlineMs, parseRest)) {
      const text = texts[at++];
      let fault: Fault | undefined = tooSlow;
      // The machine may have been busy: alone, it has the full time.
      if (text) runWithin(deadlineMs, () => (fault = findFault(text, parsers)));
      text?.done(fault);
    }
  }
}
