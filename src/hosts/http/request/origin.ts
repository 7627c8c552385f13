import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Origin } from "../../../commons/people.ts";
import { headerOf } from "./header-of.ts";

/**
 * Where a request comes from. The header counts only behind a trusted proxy, which writes it: its last hop is the one that
 * the proxy saw, and everything before it is what the client claims.
 */
export function originOf(context: Context, trustProxy: boolean): Origin {
  const socket = (context.env as { incoming?: IncomingMessage } | undefined)?.incoming?.socket;
  const hop = trustProxy ? headerOf(context, "x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  const address = hop ? withoutPort(hop.slice(0, 100)) : (socket?.remoteAddress ?? "unknown");
  const agent = headerOf(context, "user-agent")?.slice(0, 200);
  return { address, ...(agent && { agent }) };
}

/** Some proxies add the port, which is another one with each connection: limits would count each as an address of its own. */
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? [];
  return bracketed ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}
