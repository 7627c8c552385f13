import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** What happens to one response. Without any of these it passes through unchanged. */
export type Fault = {
  /** Send these bytes instead of the server's response. */
  answer?: string | Uint8Array;
  /** Wait before the first byte; Infinity waits forever. */
  delayMs?: number;
  /** Send one byte at a time with this pause, so that it does not look stalled. */
  dripMs?: number;
  /** Send this many bytes at once before that. */
  dripFrom?: number;
  /** Reset the connection after this many bytes. */
  resetAt?: number;
  /** Close the connection properly after this many bytes. */
  truncateAt?: number;
  /** Corrupt this byte. */
  garbleAt?: number;
  /** After the response, repeat this forever. */
  endless?: string | Uint8Array;
  /** Send nothing more, but keep the connection open. */
  stall?: boolean;
};

/** A proxy, or the server itself, that applies the scripted fault to each response. */
export class ChaosProxy {
  /** The head and body of every request, unchanged. */
  readonly requests: { head: string; body: string }[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #script: Fault[];
  readonly #upstream: URL | undefined;

  /** The faults of the first requests, in order; the last one is used from then on. Ends with the test. */
  static async start(script: Fault | Fault[], upstream?: string): Promise<ChaosProxy> {
    const proxy = new ChaosProxy([script].flat(), upstream === undefined ? undefined : new URL(upstream));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    onTestFinished(() => proxy.stop());
    return proxy;
  }

  private constructor(script: Fault[], upstream: URL | undefined) {
    this.#script = script;
    this.#upstream = upstream;
    this.#server = createServer((socket) => {
      this.#keep(socket);
      this.#serve(socket).catch(() => socket.destroy());
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that are currently open. */
  get connections(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((closed) => this.#server.close(closed));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => this.#sockets.delete(socket));
  }

  async #serve(socket: Socket): Promise<void> {
    const request = await readRequest(socket);
    const fault = this.#script[Math.min(this.requests.length, this.#script.length - 1)] ?? {};
    this.requests.push(request);
    if (fault.delayMs === Number.POSITIVE_INFINITY) return;
    if (fault.delayMs) await pause(fault.delayMs);
    if (await deliver(socket, this.#answers(request, fault), fault)) return;
    if (fault.endless !== undefined) await deliver(socket, repeat(fault.endless), {});
    else if (!fault.stall) socket.end();
  }

  async *#answers(request: { head: string; body: string }, { answer }: Fault): AsyncGenerator<Buffer> {
    if (answer !== undefined) yield Buffer.from(answer);
    else if (this.#upstream) {
      const upstream = connect(Number(this.#upstream.port), this.#upstream.hostname);
      this.#keep(upstream);
      upstream.write(request.head.replace(/^connection: .*$/im, "connection: close") + request.body, "latin1");
      yield* upstream;
    }
  }
}

/** Returns whether the connection was ended. */
async function deliver(socket: Socket, chunks: AsyncIterable<Buffer>, fault: Fault): Promise<boolean> {
  const { resetAt = Number.POSITIVE_INFINITY, truncateAt = Number.POSITIVE_INFINITY, garbleAt = -1 } = fault;
  const endAt = Math.min(resetAt, truncateAt);
  let sent = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.subarray(0, endAt - sent));
    const wrong = bytes[garbleAt - sent];
    if (wrong !== undefined) bytes.writeUInt8(wrong ^ 0xff, garbleAt - sent);
    await write(socket, bytes, fault);
    sent += bytes.length;
    if (socket.destroyed) return true;
    if (sent < endAt) continue;
    // A reset throws away what the other side has not read yet.
    if (resetAt === endAt) await pause(20).then(() => socket.resetAndDestroy());
    else socket.end();
    return true;
  }
  return false;
}

async function write(socket: Socket, bytes: Buffer, { dripMs, dripFrom = 0 }: Fault): Promise<void> {
  const atOnce = dripMs === undefined ? bytes.length : dripFrom;
  const drops = [...bytes.subarray(atOnce)].map((byte) => Buffer.of(byte));
  for (const piece of [bytes.subarray(0, atOnce), ...drops]) {
    if (socket.destroyed) return;
    if (!socket.write(piece)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    if (dripMs !== undefined) await pause(dripMs);
  }
}

async function* repeat(content: string | Uint8Array): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.from(content);
}

function readRequest(socket: Socket): Promise<{ head: string; body: string }> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.once("close", reject);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n") + 4;
      if (end < 4) return;
      const length = Number(/^content-length: *(\d{1,9})/im.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length >= end + length) resolve({ head: text.slice(0, end), body: text.slice(end) });
    });
  });
}

/** A complete HTTP response as text. */
export function httpAnswer(
  status: number,
  headers: Record<string, string> = {},
  body: string | Uint8Array = "",
): Buffer {
  const bytes = Buffer.from(body);
  const all = { "content-length": String(bytes.length), connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Chaos\r\n${lines.join("")}\r\n`), bytes]);
}

export function jsonAnswer(value: unknown, status = 200): Buffer {
  return httpAnswer(status, { "content-type": "application/json" }, JSON.stringify(value));
}
