import type { Readable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { Surface } from "../surface.ts";
import { isRequest, type Message, type Request, type RequestId, readMessage } from "./envelope.ts";
import { type Era, eraOf, Greeter } from "./greeter.ts";
import { type Line, LineSplitter } from "./lines.ts";
import type { ProtocolOutput } from "./streams.ts";

export const longestLine = 8 * 1_048_576;
/** How long the SDK waits to be loaded while nobody needs it: after the handshake and the lists, before the first call. */
const quietMs = 40;
/** How long calls under way may still answer once the client has closed its end. */
const drainMs = 1_000;

type Options = {
  input: Readable;
  output: ProtocolOutput;
  surface(): Surface;
  /** Loads the SDK and connects it to the transport. */
  connect(transport: Transport): Promise<void>;
  warn(text: string): void;
};

/**
 * One client on stdin and stdout. It stands in front of the SDK: answers what needs no SDK, refuses what is not MCP, and
 * hands on the rest. `ended` resolves when the client is gone.
 */
export class StdioConnection {
  readonly #options: Options;
  readonly #greeter: Greeter;
  readonly #lines = new LineSplitter(longestLine);
  readonly #waiting: Message[] = [];
  /** Requests the SDK gets although they are answered already; its answers are dropped. */
  readonly #answered = new Set<RequestId>();
  readonly #underWay = new Set<RequestId>();
  readonly #transport: Transport;
  #era: Era | undefined;
  #loading: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #drained: (() => void) | undefined;
  #end: () => void = () => {};
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(options: Options) {
    this.#options = options;
    this.#greeter = new Greeter(() => options.surface());
    this.#transport = {
      start: async () => {},
      send: async (message) => this.#send(message),
      close: async () => this.#transport.onclose?.(),
    };
    const { input, output } = options;
    input.on("data", (chunk: Buffer) => this.#read(this.#lines.push(chunk)));
    input.on("end", () => void this.#inputEnded());
    input.on("error", () => this.#end());
    output.onError(() => this.#end());
    output.onDrain(() => input.resume());
  }

  #read(lines: Iterable<Line>): void {
    for (const line of lines) if ("tooLong" in line || line.text.trim() !== "") this.#receive(line);
  }

  #receive(line: Line): void {
    const read = readMessage(line, longestLine);
    if ("malformed" in read) {
      const { id, ...error } = read.malformed;
      this.#options.warn(`refused a message: ${error.message}`);
      this.#write({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
    } else if (isRequest(read.message)) this.#request(read.message);
    else this.#forward(read.message);
  }

  #request(request: Request): void {
    const greeting = this.#greeter.answer(request, this.#era);
    if (!greeting) {
      this.#era ??= eraOf(request);
      this.#underWay.add(request.id);
      this.#forward(request);
      return;
    }
    this.#write({ jsonrpc: "2.0", id: request.id, result: greeting.result });
    if (this.#era !== undefined || greeting.opens === undefined) return;
    this.#era = greeting.opens;
    this.#answered.add(request.id);
    this.#forward(request);
  }

  #forward(message: Message): void {
    if (message.method === "notifications/cancelled") this.#settle(message.params?.["requestId"]);
    if (this.#transport.onmessage) this.#deliver(message);
    else {
      this.#waiting.push(message);
      this.#scheduleLoad();
    }
  }

  #deliver(message: Message): void {
    this.#transport.onmessage?.(message as JSONRPCMessage);
  }

  #scheduleLoad(): void {
    clearTimeout(this.#quiet);
    if (this.#underWay.size > 0) this.#load();
    else this.#quiet = setTimeout(() => this.#load(), quietMs);
  }

  #load(): void {
    this.#loading ??= this.#options.connect(this.#transport).then(
      () => {
        for (const message of this.#waiting.splice(0)) this.#deliver(message);
      },
      (error: unknown) => {
        this.#options.warn(`cannot serve: ${error instanceof Error ? error.message : String(error)}`);
        this.#end();
      },
    );
  }

  #send(message: JSONRPCMessage): void {
    const id = "id" in message && !("method" in message) ? message.id : undefined;
    if (id !== undefined && this.#answered.delete(id)) {
      if ("error" in message) this.#options.warn(`the handshake was refused: ${message.error.message}`);
      return;
    }
    this.#write(message);
    this.#settle(id);
  }

  #settle(id: unknown): void {
    if (this.#underWay.delete(id as RequestId) && this.#underWay.size === 0) this.#drained?.();
  }

  /** A client that does not read stops being read from, so that answers do not pile up here. */
  #write(message: object): void {
    if (!this.#options.output.write(`${JSON.stringify(message)}\n`)) this.#options.input.pause();
  }

  async #inputEnded(): Promise<void> {
    this.#read(this.#lines.end());
    clearTimeout(this.#quiet);
    if (this.#underWay.size > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        setTimeout(resolve, drainMs);
      });
    }
    this.#end();
  }
}
