import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../../rooms/access/identity/network.ts";

const firstBytesMs = 5_000;

/** A server's open connections: limited per address, and closed if nothing is sent soon. */
export class Connections {
  readonly #open = new Set<Socket>();
  readonly #byNetwork = new Map<string, number>();
  readonly #maxEach: number;
  readonly #maxAll: number;
  /** Those that have sent a complete request, and are not sending the body of another. */
  readonly #used = new WeakSet<Socket>();

  constructor(server: Server, { all, each }: { all: number; each: number }) {
    this.#maxEach = each;
    this.#maxAll = all;
    server.on("connection", (socket: Socket) => this.#add(socket));
    server.on("request", (request) => this.#read(request));
  }

  get count(): number {
    return this.#open.size;
  }

  /** Those that never sent anything, which Node counts as busy. */
  closeSilent(): void {
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
  }

  #add(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? "");
    const others = this.#byNetwork.get(network) ?? 0;
    if ((others >= this.#maxEach || this.#open.size >= this.#maxAll) && !this.#closeUnused(network))
      return void socket.destroy();
    this.#byNetwork.set(network, others + 1);
    this.#open.add(socket);
    const silence = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), firstBytesMs);
    silence.unref();
    socket.once("close", () => {
      clearTimeout(silence);
      this.#open.delete(socket);
      this.#leave(network);
    });
  }

  /** A request whose body never ends is none. */
  #read(request: IncomingMessage): void {
    const { socket, headers } = request;
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    if (!hasBody) return void this.#used.add(socket);
    this.#used.delete(socket);
    request.once("end", () => this.#used.add(socket));
  }

  /** Makes room: the oldest connection that has not sent a request yet gives way, before any client that works. */
  #closeUnused(network: string): boolean {
    for (const socket of this.#open) {
      if (this.#used.has(socket) || socket.destroyed) continue;
      const isAlike = this.#open.size >= this.#maxAll || networkOf(socket.remoteAddress ?? "") === network;
      if (!isAlike) continue;
      socket.destroy();
      return true;
    }
    return false;
  }

  #leave(network: string): void {
    const left = (this.#byNetwork.get(network) ?? 1) - 1;
    if (left === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, left);
  }
}
