import { setImmediate as turn } from "node:timers/promises";
import { ForgeError } from "../../../kernel/errors.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { decodeText } from "../../../platform/files/decode-text.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";

const maxTurnMs = 20;

const maxFileBytes = 256 * 1024;
/** Of all files together: what is read is kept, and takes time to compare. */
const maxCharacters = 32 * 1_048_576;

/** A file that is not text, or that is too large. */
export type UnreadFile = "not text" | { bytes: number };

/**
 * Of each file a part is shown, and its words are searched: half a secret does not look like one. It knows secrets by their form
 * alone, so that a file says the same on every machine.
 */
const redactor = new Redactor();

/** Reads the texts of a project's files, without secrets: each once, and at most so many and so much. */
export class SourceReader {
  readonly #root: SafeRoot;
  readonly #signal: AbortSignal;
  readonly #texts = new Map<string, string | undefined>();
  readonly #unread = new Map<string, UnreadFile>();
  #left: number;
  #characters = 0;
  #turned = performance.now();

  constructor(root: SafeRoot, { max, signal }: { max: number; signal: AbortSignal }) {
    this.#root = root;
    this.#signal = signal;
    this.#left = max;
  }

  get isSpent(): boolean {
    return this.#left <= 0 || this.#characters >= maxCharacters;
  }

  /** Undefined if it is not text, too large, unreadable, or over the maximum of files and their size. */
  async read(path: string): Promise<string | undefined> {
    if (this.#texts.has(path)) return this.#texts.get(path);
    if (this.isSpent) return undefined;
    await this.giveWay();
    this.#left--;
    const text = await this.#read(path);
    this.#characters += text?.length ?? 0;
    this.#texts.set(path, text);
    return text;
  }

  /** Why a file that is there was not read, if that is known. */
  getUnread(path: string): UnreadFile | undefined {
    return this.#unread.get(path);
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      const { bytes } = await this.#root.read(path, { maxBytes: maxFileBytes });
      return redactor.lines(decodeText(bytes, path).text);
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      const size = error.details?.["size"];
      if (typeof size === "number") this.#unread.set(path, { bytes: size });
      else if (error.details?.["bytesAreText"] === false) this.#unread.set(path, "not text");
      return undefined;
    }
  }

  /** Lets others have their turn, also between what is done with the texts. */
  async giveWay(): Promise<void> {
    this.#signal.throwIfAborted();
    if (performance.now() - this.#turned < maxTurnMs) return;
    await turn();
    this.#turned = performance.now();
    this.#signal.throwIfAborted();
  }
}
