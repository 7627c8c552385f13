import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** The port of a server that accepts connections on this machine until the test is over. */
export async function listenOnLoopback(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
