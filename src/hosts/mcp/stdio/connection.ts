import type { Readable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { WireError } from "../../../kernel/errors.ts";
import type { McpLists } from "../lists.ts";
import { isRequest, type Message, type Request, type RequestId, readMessage } from "./envelope.ts";
import { type Era, eraOf, Greeter } from "./greeter.ts";
import { type Line, LineSplitter } from "./lines.ts";
import type { ProtocolOutput } from "./streams.ts";
import { WaitingRoom } from "./waiting-room.ts";

const longestLine = 8 * 1_048_576;
/** How long the SDK waits to be loaded while nobody needs it: after the handshake and the lists, before the first call. */
const quietMs = 40;
/** How long calls under way may still answer once the client has closed its end. */
const drainMs = 1_000;
/** How many requests are served at once; what their answers hold in memory is bounded by this. */
const mostUnderWay = 16;
const internalError = -32603;

type Options = {
  input: Readable;
  output: ProtocolOutput;
  lists(): McpLists;
  /** The toolsets that this connection has enabled. */
  enabled(): ReadonlySet<string>;
  /** Loads the SDK and connects it to the transport. */
  connect(transport: Transport): Promise<void>;
  /** What callers are told, where that failed. */
  refusal(error: unknown): WireError;
  warn(text: string): void;
  /** Aborted when the program ends: calls under way are cut off, and their ledger entries say so. */
  ending: AbortSignal;
};

/**
 * One client on stdin and stdout. It stands in front of the SDK: answers what needs no SDK, refuses what is not MCP, and
 * hands on the rest. `ended` resolves when the client is gone.
 */
export class StdioConnection {
  readonly #options: Options;
  readonly #greeter: Greeter;
  readonly #lines = new LineSplitter(longestLine);
  readonly #room = new WaitingRoom();
  /** What came before the SDK was there. */
  readonly #early: Message[] = [];
  /** Requests the SDK gets although they are answered already; its answers are dropped. */
  readonly #answered = new Set<RequestId>();
  readonly #underWay = new Set<RequestId>();
  readonly #transport: Transport;
  #isReaderSlow = false;
  #isConnected = false;
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
    this.#greeter = new Greeter(options.lists, options.enabled);
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
    output.onDrain(() => {
      this.#isReaderSlow = false;
      this.#admit();
    });
    options.ending.addEventListener("abort", () => this.#transport.onclose?.(), { once: true });
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
    } else if (!isRequest(read.message)) this.#forward(read.message);
    else if (read.message.method === "ping") this.#serve(read.message);
    else {
      this.#room.enter(read.message, "text" in line ? line.text.length : 0);
      this.#admit();
    }
  }

  /**
   * Serves who waits, as far as the client reads and others are answered; reads on where there is room. Only requests wait:
   * a cancellation, or an answer that a request under way needs, must get through.
   */
  #admit(): void {
    while (!this.#isReaderSlow && this.#underWay.size < mostUnderWay) {
      const request = this.#room.next();
      if (!request) break;
      this.#serve(request);
    }
    if (this.#isReaderSlow || this.#room.isFull) this.#options.input.pause();
    else this.#options.input.resume();
  }

  #serve(request: Request): void {
    const greeting = this.#greeter.answer(request, this.#era);
    if (!greeting) {
      this.#era ??= eraOf(request);
      // A subscription has no answer to wait for.
      if (request.method !== "subscriptions/listen") this.#underWay.add(request.id);
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
    if (message.method === "notifications/cancelled") {
      if (this.#room.dismiss(message.params?.["requestId"])) return;
      this.#settle(message.params?.["requestId"]);
    }
    if (this.#isConnected) this.#deliver(message);
    else {
      this.#early.push(message);
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
        this.#isConnected = true;
        for (const message of this.#early.splice(0)) this.#deliver(message);
      },
      (error: unknown) => this.#refuse(this.#options.refusal(error)),
    );
  }

  /**
   * Settings that do not fit, or a store that is away, leave nobody without an answer. What opened the connection is kept: the
   * next request tries again.
   */
  #refuse(body: WireError): void {
    this.#loading = undefined;
    const waiting = this.#early.splice(0);
    this.#early.push(...waiting.filter((message) => this.#isOpening(message)));
    for (const message of waiting) {
      if (!isRequest(message) || this.#isOpening(message)) continue;
      const isAwaited = this.#underWay.has(message.id) || message.method === "subscriptions/listen";
      if (isAwaited) this.#write({ jsonrpc: "2.0", id: message.id, ...this.#failure(message, body) });
      this.#settle(message.id);
    }
  }

  #isOpening(message: Message): boolean {
    return message.method === "notifications/initialized" || (isRequest(message) && this.#answered.has(message.id));
  }

  #failure({ method }: Request, body: WireError): object {
    if (method !== "tools/call") return { error: { code: internalError, message: body.message, data: body } };
    const result = { content: [{ type: "text", text: JSON.stringify(body, null, 2) }], isError: true };
    return { result: this.#era === "stateless" ? this.#greeter.stateless(result) : result };
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
    if (!this.#underWay.delete(id as RequestId)) return;
    this.#admit();
    if (this.#isIdle) this.#drained?.();
  }

  get #isIdle(): boolean {
    return this.#underWay.size === 0 && this.#room.isEmpty;
  }

  /** A client that does not read stops being read from, so that answers do not pile up here. */
  #write(message: object): void {
    if (this.#options.output.write(`${JSON.stringify(message)}\n`)) return;
    this.#isReaderSlow = true;
    this.#options.input.pause();
  }

  async #inputEnded(): Promise<void> {
    this.#read(this.#lines.end());
    clearTimeout(this.#quiet);
    // Nothing is answered before the SDK is there; the time to answer begins then.
    if (!this.#isIdle) await this.#loading;
    if (!this.#isIdle) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        setTimeout(resolve, drainMs);
      });
    }
    this.#end();
  }
}
