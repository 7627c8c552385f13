import type { IncomingMessage } from "node:http";
import type { Context } from "hono";

/**
 * A header, by its name in lower case. A request is asked for a dozen that it does not have, and `context.req.header` checks each
 * name before it looks.
 */
export function headerOf({ env, req }: Context, name: string): string | undefined {
  const incoming = (env as { incoming?: IncomingMessage } | undefined)?.incoming;
  return incoming && incoming.headers[name] === undefined ? undefined : req.header(name);
}
