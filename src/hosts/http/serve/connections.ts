import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { siteOf } from "../../../rooms/access/identity/network.ts";

const firstBytesMs = 5_000;

type OpenConnection = {
  site: string;
  /** It has sent a complete request, and is not sending the body of another. */
  hasAsked: boolean;
  /** Requests that are being answered. */
  underWay: number;
};

/** A server's open connections: limited per site, and closed if nothing is sent soon. */
export class Connections {
  /** What was used last is last. */
  readonly #open = new Map<Socket, OpenConnection>();
  readonly #bySite = new Map<string, number>();
  readonly #maxEach: number;
  readonly #maxAll: number;

  constructor(server: Server, { all, each }: { all: number; each: number }) {
    this.#maxEach = each;
    this.#maxAll = all;
    server.on("connection", (socket: Socket) => this.#add(socket));
    server.on("request", (request, response) => this.#read(request, response));
  }

  get count(): number {
    return this.#open.size;
  }

  /** Those that never sent anything, which Node counts as busy. */
  closeSilent(): void {
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  #add(socket: Socket): void {
    const site = siteOf(socket.remoteAddress ?? "");
    const others = this.#bySite.get(site) ?? 0;
    if ((others >= this.#maxEach || this.#open.size >= this.#maxAll) && !this.#makeRoom(site))
      return void socket.destroy();
    this.#bySite.set(site, others + 1);
    this.#open.set(socket, { site, hasAsked: false, underWay: 0 });
    const silence = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), firstBytesMs);
    silence.unref();
    socket.once("close", () => {
      clearTimeout(silence);
      this.#open.delete(socket);
      this.#leave(site);
    });
  }

  #read(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request;
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.underWay++;
    response.once("close", () => {
      connection.underWay--;
      if (this.#open.delete(socket)) this.#open.set(socket, connection);
    });
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    // A request whose body never ends is none.
    connection.hasAsked = !hasBody;
    if (hasBody) request.once("end", () => (connection.hasAsked = true));
  }

  /**
   * One gives way before any client that works: one that has not sent a request yet, else the one that had nothing to do for longest,
   * else one that does not read its answer. Anybody can have connections that only look used.
   */
  #makeRoom(site: string): boolean {
    const isFull = this.#open.size >= this.#maxAll;
    const [first] = [...this.#open]
      .filter(([{ destroyed }, connection]) => !destroyed && (isFull || connection.site === site))
      .map(([socket, connection]) => ({ socket, rank: rankOf(socket, connection) }))
      .filter(({ rank }) => rank < busy)
      .sort((a, b) => a.rank - b.rank);
    first?.socket.destroy();
    return first !== undefined;
  }

  #leave(site: string): void {
    const left = (this.#bySite.get(site) ?? 1) - 1;
    if (left === 0) this.#bySite.delete(site);
    else this.#bySite.set(site, left);
  }
}

const busy = 3;

/** Which gives way first. */
function rankOf({ writableLength }: Socket, { hasAsked, underWay }: OpenConnection): number {
  if (!hasAsked) return 0;
  if (underWay === 0) return 1;
  return writableLength > 0 ? 2 : busy;
}
