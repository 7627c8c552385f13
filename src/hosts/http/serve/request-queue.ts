import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that are answered at the same time. Browsers, proxies and Node's fetch send one. */
const maxOpen = 16;

/**
 * Closes connections that send ever more requests without waiting for answers. Node accepts them all: one packet can hold
 * a thousand, and all of their answers would be made before anybody else is served, and wait in memory to be read.
 */
export function limitOpenRequests(server: Server): void {
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  /** Requests of each connection that came while another was being answered. */
  const queued = new WeakMap<Socket, number>();
  server.on("request", (request, response) => {
    const { socket } = request;
    // An answer gets the connection at once if no other has it. Most do, and need not be counted.
    if (response.socket === null) {
      const count = queued.get(socket) ?? 0;
      if (count + 1 >= maxOpen) return void socket.destroy();
      queued.set(socket, count + 1);
      response.once("close", () => queued.set(socket, (queued.get(socket) ?? 1) - 1));
    }
    for (const listener of listeners) listener(request, response);
  });
}
