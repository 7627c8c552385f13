import { setImmediate as turn } from "node:timers/promises";
import { ForgeError } from "../../../kernel/errors.ts";
import { decodeText } from "../../../platform/files/decode-text.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";

const maxTurnMs = 20;

const maxFileBytes = 64 * 1024;

/** Reads the texts of a project's files: each once, and at most so many.  */
export class SourceReader {
  readonly #root: SafeRoot;
  readonly #signal: AbortSignal;
  readonly #texts = new Map<string, string | undefined>();
  readonly #sizes = new Map<string, number>();
  #left: number;
  #turned = performance.now();

  constructor(root: SafeRoot, { max, signal }: { max: number; signal: AbortSignal }) {
    this.#root = root;
    this.#signal = signal;
    this.#left = max;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Undefined if it is not text, too large, unreadable, or over the maximum number of files. */
  async read(path: string): Promise<string | undefined> {
    if (this.#texts.has(path)) return this.#texts.get(path);
    if (this.isSpent) return undefined;
    await this.#giveWay();
    this.#left--;
    const text = await this.#read(path);
    this.#texts.set(path, text);
    return text;
  }

  hasTried(path: string): boolean {
    return this.#texts.has(path);
  }

  /** The size of a file that was too large to read. */
  getSize(path: string): number | undefined {
    return this.#sizes.get(path);
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      const { bytes } = await this.#root.read(path, { maxBytes: maxFileBytes });
      return decodeText(bytes, path).text;
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      const size = error.details?.["size"];
      if (typeof size === "number") this.#sizes.set(path, size);
      return undefined;
    }
  }

  async #giveWay(): Promise<void> {
    this.#signal.throwIfAborted();
    if (performance.now() - this.#turned < maxTurnMs) return;
    await turn();
    this.#turned = performance.now();
    this.#signal.throwIfAborted();
  }
}
