import type { Output, Style } from "../../kernel/definitions/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { stripEscapes } from "../../platform/terminal/style.ts";
import { plain, plainJson, plainLines, truncate } from "../../platform/terminal/text.ts";

/** To the beginning of the line, and nothing left on it. */
const wipe = "\r\x1b[K";
const defaultColumns = 80;

/** What the frame needs of `process.stdout` and `process.stderr`. */
export type Stream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(data: string | Buffer, done: (error?: Error | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
};

/** A stream that knows when all was written, or that nobody reads it. */
class Pen {
  readonly #stream: Stream;
  readonly #style: Style;
  readonly #failed: (error: Error) => void;
  #pending: Promise<void> = Promise.resolve();
  #listening = false;
  #broken = false;
  #hasPassing = false;

  constructor(stream: Stream, style: Style, failed: (error: Error) => void) {
    this.#stream = stream;
    this.#style = style;
    this.#failed = failed;
  }

  line(text: string): void {
    this.#write(`${stripEscapes(text, this.#style)}\n`);
  }

  /** For files and other programs, which obey nothing; returns whether all of it stayed as it is. */
  exact(data: string | Buffer): boolean {
    const shown = this.#stream.isTTY === true ? plainLines(data.toString()) : data;
    this.#write(shown);
    return shown === data;
  }

  #write(data: string | Buffer): void {
    if (this.#broken) return;
    this.#listen();
    this.showNote(undefined);
    const written = new Promise<void>((resolve) => {
      this.#stream.write(data, (error) => {
        if (error) this.#fail(error);
        resolve();
      });
    });
    this.#pending = Promise.all([this.#pending, written]).then(() => undefined);
  }

  /** A line that the next one takes the place of; for terminals only. Nobody waits for it. */
  showNote(text: string | undefined): void {
    if (this.#broken || this.#stream.isTTY !== true || (text === undefined && !this.#hasPassing)) return;
    this.#listen();
    this.#hasPassing = text !== undefined;
    const shown = text === undefined ? "" : truncate(plain(text), (this.#stream.columns ?? defaultColumns) - 1);
    this.#stream.write(wipe + shown, () => {});
  }

  flush(): Promise<void> {
    return this.#pending;
  }

  /** Only once something is printed: `forge mcp` owns stdout by itself. */
  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#stream.on("error", (error) => this.#fail(error));
  }

  #fail(error: Error): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#failed(error);
  }
}

type OutputParts = {
  stdout: Stream;
  stderr: Stream;
  json: boolean;
  style: Style;
  errorStyle: Style;
  signal(): AbortSignal;
  /** Whether stderr can take back what it shows; a dumb terminal cannot. */
  canWipe: boolean;
};

/** The two streams of one run. */
export class Terminal implements Output {
  readonly json: boolean;
  readonly width: number | undefined;
  readonly style: Style;
  readonly errorStyle: Style;
  /** Resolves when stdout takes nothing more. */
  readonly stdoutLost: Promise<void>;
  /** Set when stdout takes nothing more; without an error where its reader has simply gone. */
  loss: { error: ForgeError | undefined } | undefined;
  readonly #out: Pen;
  readonly #err: Pen;
  readonly #canWipe: boolean;
  readonly #outerSignal: () => AbortSignal;
  readonly #nobodyReads: (() => void)[] = [];
  #signal: AbortSignal | undefined;

  constructor({ stdout, stderr, json, style, errorStyle, signal, canWipe }: OutputParts) {
    this.stdoutLost = new Promise((resolve) => this.#nobodyReads.push(resolve));
    this.json = json;
    this.width = stdout.isTTY === true && stdout.columns ? stdout.columns : undefined;
    this.#outerSignal = signal;
    this.style = style;
    this.errorStyle = errorStyle;
    this.#canWipe = canWipe;
    this.#out = new Pen(stdout, style, (error) => {
      this.loss = { error: describeLoss(error) };
      for (const tell of this.#nobodyReads) tell();
    });
    this.#err = new Pen(stderr, errorStyle, () => {});
  }

  /** Made when first asked for: Node loads what it takes only then, and most commands are over before. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const stop = new AbortController();
    this.#nobodyReads.push(() => stop.abort());
    if (this.loss) stop.abort();
    this.#signal = AbortSignal.any([this.#outerSignal(), stop.signal]);
    return this.#signal;
  }

  print(text: string): void {
    this.progress(undefined);
    this.#out.line(text);
  }

  data<T>(value: T, human: (value: T) => string): void {
    this.print(this.json ? plainJson(JSON.stringify(value, null, 2) ?? "null") : human(value));
  }

  exact(data: string | Buffer): boolean {
    this.progress(undefined);
    return this.#out.exact(data);
  }

  note(text: string): void {
    this.#err.line(text);
  }

  progress(text: string | undefined): void {
    if (this.#canWipe) this.#err.showNote(text);
  }

  async flush(): Promise<void> {
    await Promise.all([this.#out.flush(), this.#err.flush()]);
  }
}

/** `forge log | head -1` is not an error. */
function describeLoss(error: Error & { code?: unknown }): ForgeError | undefined {
  if (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") return undefined;
  const reason = typeof error.code === "string" ? ` (${error.code})` : "";
  return new ForgeError("STORE_ERROR", `The output could not be written${reason}.`, {
    next: ["Check that the place the output goes to has room and can be written."],
  });
}
