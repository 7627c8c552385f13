import { connect, type Socket } from "node:net";

export type Asked = { method: "GET" | "PATCH"; path: string; body?: string };
export type Load = { requestsPerSecond: number; p50: number; p99: number };

type Loading = { url: string; token: string; connections: number; requests: number; ask(index: number): Asked };

/**
 * A number of connections that each send the next request as soon as they get a response. Bare sockets, because a full HTTP client takes
 * more CPU than the servers it measures.
 */
export async function load({ url, token, connections, requests, ask }: Loading): Promise<Load> {
  const { hostname, port } = new URL(url);
  const times: number[] = [];
  let begun = 0;
  const lane = async () => {
    const line = new Line(connect(Number(port), hostname), `${hostname}:${port}`, token);
    try {
      while (begun < requests) {
        const asked = ask(begun++);
        const before = performance.now();
        await line.ask(asked);
        times.push(performance.now() - before);
      }
    } finally {
      line.end();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requestsPerSecond: times.length / seconds, p50: percentile(0.5), p99: percentile(0.99) };
}

/** One connection, one request at a time. */
class Line {
  readonly #socket: Socket;
  readonly #headers: string;
  #received: Buffer[] = [];
  #missing = 0;
  #waiting: { resolve(): void; reject(error: Error): void } | undefined;

  constructor(socket: Socket, host: string, token: string) {
    this.#socket = socket.setNoDelay(true);
    this.#headers = `host: ${host}\r\nauthorization: Bearer ${token}\r\n`;
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => this.#waiting?.reject(new Error("the server closed the connection")));
  }

  ask({ method, path, body }: Asked): Promise<void> {
    const sent = body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(`${method} ${path} HTTP/1.1\r\n${this.#headers}${sent}\r\n${body ?? ""}`);
    });
  }

  end(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk);
    if (this.#missing > 0) this.#missing -= chunk.length;
    else this.#missing = missingOf(Buffer.concat(this.#received));
    if (this.#missing !== 0) return;
    const status = this.#received[0]?.toString("latin1", 9, 12);
    if (status === "200") this.#waiting?.resolve();
    else this.#waiting?.reject(new Error(`the server answered ${Buffer.concat(this.#received)}`));
    this.#received = [];
  }
}

/** Remaining bytes of the response; negative if its headers are incomplete. */
function missingOf(received: Buffer): number {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return -1;
  const length = /\ncontent-length: (\d+)/i.exec(received.toString("latin1", 0, end))?.[1];
  if (length === undefined) throw new Error("an answer did not announce its length");
  return end + 4 + Number(length) - received.length;
}
