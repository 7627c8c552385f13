import { Redactor } from "../../../kernel/text/redactor.ts";
import { HeadAndTail } from "../../../platform/exec/head-and-tail.ts";
import { toText } from "../../../platform/exec/to-text.ts";

const maxKeptBytes = 1_048_576;
const maxLineLength = 1_048_576;

/** A run's output: both streams as they came, the middle left out where it is long, and every line handed to a reader. */
export class RunOutput {
  readonly #kept = new HeadAndTail(maxKeptBytes);
  readonly #streams: Record<"stdout" | "stderr", LineReader>;

  constructor(line: (line: string) => void) {
    this.#streams = { stdout: new LineReader(line), stderr: new LineReader(line) };
  }

  add(stream: "stdout" | "stderr", chunk: Buffer): void {
    this.#kept.add(chunk);
    this.#streams[stream].add(chunk);
  }

  end(): void {
    for (const stream of Object.values(this.#streams)) stream.end();
  }

  get truncated(): boolean {
    return this.#kept.truncated;
  }

  text(): string {
    return toText(this.#kept.toBuffer());
  }
}

class LineReader {
  readonly #decoder = new TextDecoder();
  readonly #line: (line: string) => void;
  #rest = "";

  constructor(line: (line: string) => void) {
    this.#line = line;
  }

  add(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) this.#hand(line);
    // One without an end would fill the memory.
    this.#rest = last.length > maxLineLength ? "" : last;
  }

  end(): void {
    if (this.#rest !== "") this.#hand(this.#rest);
    this.#rest = "";
  }

  /** Without colours, which the caller's environment may ask for. */
  #hand(line: string): void {
    const written = line.endsWith("\r") ? line.slice(0, -1) : line;
    this.#line(written.includes("\u001b") ? toText(Buffer.from(written)) : written);
  }
}

const redactor = new Redactor();

/** What tests say may hold anything. Secrets are removed before a part of it is cut off: half a token does not look like one. */
export function cleanText(text: string): string {
  return redactor.text(toText(Buffer.from(text)));
}

/** The end of a text, from the beginning of a line, where one is near. */
export function keepEnd(text: string, most: number): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= most) return trimmed;
  const end = trimmed.slice(-most);
  const line = end.indexOf("\n");
  return line === -1 || line > most / 2 ? end : end.slice(line + 1);
}
