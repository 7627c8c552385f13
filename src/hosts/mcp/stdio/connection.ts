import type { Readable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { WireError } from "../../../kernel/errors.ts";
import type { McpLists } from "../lists/lists.ts";
import { shortenError } from "../message-limits.ts";
import type { ProtocolOutput } from "./claim-stdout.ts";
import { type Era, eraOf, Handshake } from "./handshake.ts";
import { type Line, LineSplitter } from "./line-splitter.ts";
import { isRequest, type Message, type Request, type RequestId, readMessage } from "./message.ts";
import { RejectionLog } from "./rejection-log.ts";
import { RequestQueue } from "./request-queue.ts";

const maxLineBytes = 8 * 1_048_576;
/** How long to wait after the handshake and the lists before the SDK is loaded, if no call needs it earlier. */
const quietMs = 40;
/** How long running calls may still answer once the client has closed its end. */
const drainMs = 1_000;
/** How many requests are served at once; this limits the memory for their answers. */
const maxRunning = 16;
const internalError = -32603;
const idInFlight = {
  code: -32600,
  message: "Invalid request: a request with this id is still being served. Use a new id for each request.",
};

type Options = {
  input: Readable;
  output: ProtocolOutput;
  lists(): McpLists;
  /** The toolsets that this connection has enabled. */
  enabled(): ReadonlySet<string>;
  /** Loads the SDK and connects it to the transport. */
  connect(transport: Transport): Promise<void>;
  /** The error for callers, if that failed. */
  refusal(error: unknown): WireError;
  warn(text: string): void;
  /** Aborted when the program ends: running calls are cut off, and their ledger entries say so. */
  ending: AbortSignal;
};

/**
 * One client on stdin and stdout. It comes before the SDK: it answers what needs no SDK, rejects what is not MCP, and forwards
 * the rest. `ended` resolves when the client is gone.
 */
export class StdioConnection {
  readonly #options: Options;
  readonly #handshake: Handshake;
  readonly #lines = new LineSplitter(maxLineBytes);
  readonly #queue = new RequestQueue();
  /** What came before the SDK was loaded. */
  readonly #early: Message[] = [];
  /** Requests that the SDK gets although they are already answered; its answers are dropped. */
  readonly #answered = new Set<RequestId>();
  readonly #running = new Set<RequestId>();
  readonly #rejections: RejectionLog;
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
    this.#rejections = new RejectionLog(options.warn);
    this.#handshake = new Handshake(options.lists, options.enabled);
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
      this.#serveNext();
    });
    options.ending.addEventListener("abort", () => this.#transport.onclose?.(), { once: true });
  }

  #read(lines: Iterable<Line>): void {
    for (const line of lines) if ("fault" in line || line.text.trim() !== "") this.#receive(line);
  }

  #receive(line: Line): void {
    const read = readMessage(line, maxLineBytes);
    if ("malformed" in read) {
      const { id, isNotification, ...error } = read.malformed;
      this.#rejections.note(error.message);
      if (!isNotification) this.#write({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
    } else if (isRequest(read.message) && this.#isInFlight(read.message.id)) {
      this.#rejections.note(idInFlight.message);
      // Without the id: with it, this would be taken for the answer to the first request.
      this.#write({ jsonrpc: "2.0", error: idInFlight });
    } else if (!isRequest(read.message)) this.#forward(read.message);
    else if (read.message.method === "ping" || (this.#canServe && this.#queue.isEmpty)) this.#serve(read.message);
    else {
      this.#queue.add(read.message, "text" in line ? line.text.length : 0);
      this.#serveNext();
    }
  }

  get #canServe(): boolean {
    return !this.#isReaderSlow && this.#running.size < maxRunning;
  }

  /** Answers are told apart by their ids alone. */
  #isInFlight(id: RequestId): boolean {
    return this.#running.has(id) || this.#queue.has(id);
  }

  /**
   * Serves waiting requests, as long as the client reads and not too many are running; then reads on. Only requests wait: a
   * cancellation, or an answer that a running request needs, must get through.
   */
  #serveNext(): void {
    while (this.#canServe) {
      const request = this.#queue.next();
      if (!request) break;
      this.#serve(request);
    }
    if (this.#isReaderSlow || this.#queue.isFull) this.#options.input.pause();
    else this.#options.input.resume();
  }

  #serve(request: Request): void {
    const greeting = this.#handshake.answer(request, this.#era);
    if (!greeting) {
      this.#era ??= eraOf(request);
      // A subscription has no answer to wait for.
      if (request.method !== "subscriptions/listen") this.#running.add(request.id);
      this.#forward(request);
      return;
    }
    this.#writeText(`{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${greeting.result}}`);
    if (this.#era !== undefined || greeting.opens === undefined) return;
    this.#era = greeting.opens;
    this.#answered.add(request.id);
    this.#forward(request);
  }

  #forward(message: Message): void {
    if (message.method === "notifications/cancelled") {
      if (this.#queue.remove(message.params?.["requestId"])) return;
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
    if (this.#running.size > 0) this.#load();
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
   * Answers everyone, also with wrong settings or without a store. What opened the connection is kept, and the next request
   * tries again.
   */
  #refuse(body: WireError): void {
    this.#loading = undefined;
    const waiting = this.#early.splice(0);
    this.#early.push(...waiting.filter((message) => this.#isOpening(message)));
    for (const message of waiting) {
      if (!isRequest(message) || this.#isOpening(message)) continue;
      const isAwaited = this.#running.has(message.id) || message.method === "subscriptions/listen";
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
    return { result: this.#era === "stateless" ? this.#handshake.stateless(result) : result };
  }

  #send(message: JSONRPCMessage): void {
    const id = "id" in message && !("method" in message) ? message.id : undefined;
    if (id !== undefined && this.#answered.delete(id)) {
      if ("error" in message) this.#options.warn(`the handshake was rejected: ${message.error.message}`);
      return;
    }
    this.#write(shortenError(message));
    this.#settle(id);
  }

  #settle(id: unknown): void {
    if (!this.#running.delete(id as RequestId)) return;
    this.#serveNext();
    if (this.#isIdle) this.#drained?.();
  }

  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#queue.isEmpty;
  }

  #write(message: object): void {
    this.#writeText(JSON.stringify(message));
  }

  /** Stops reading from a client that does not read, so that answers do not pile up here. */
  #writeText(message: string): void {
    if (this.#options.output.write(`${message}\n`)) return;
    this.#isReaderSlow = true;
    this.#options.input.pause();
  }

  async #inputEnded(): Promise<void> {
    this.#read(this.#lines.end());
    clearTimeout(this.#quiet);
    // Nothing is answered before the SDK is loaded; the time to answer starts then.
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
