import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { LinkTokens } from "../../platform/secrets/link-token.ts";
import { type BoardOptions, boardPath, serveBoard } from "./board/serve-board.ts";
import { type ReadTool, serveTools } from "./board/serve-tools.ts";
import { type Status, statusPage, statusPagePolicy } from "./pages/status-page.ts";
import type { Events } from "./reply/events.ts";
import { wordForHttp } from "./reply/wording.ts";
import { requireLoopback } from "./request/known-host.ts";
import { isFromPage, requireLink } from "./request/link-token.ts";
import { type RouteOptions, serveRoutes } from "./routes.ts";
import { addHeaders, commonHeaders } from "./serve/common-headers.ts";

export type HttpOptions<Services> = RouteOptions<Services> & {
  /** The MCP endpoint, as a web-standard handler. */
  mcp(request: Request): Promise<Response>;
  /** What the status page shows; absent where only MCP is served. */
  status: (() => Promise<Status>) | undefined;
  /** The board at `/`; without it the status page is there. */
  board?: (BoardOptions & { readTool: ReadTool; events: Events }) | undefined;
  /** Remembers that a program other than the user's page is about to read something. */
  noteReader?: ((method: string, path: string) => Promise<void>) | undefined;
  /** The project's tokens; without them, every program on the machine is let in. */
  tokens?: LinkTokens | undefined;
};

const maxBodyBytes = 4 * 1_048_576;

/** For every route, whether or not the length is announced. */
const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    const message = `The body is too large: the limit is ${maxBodyBytes / 1_048_576} MiB. Send less in one request.`;
    return Response.json({ jsonrpc: "2.0", error: { code: -32000, message } }, { status: 413 });
  },
});

/** Everything the program serves over HTTP. Tests call `app.request`; {@link listen} puts it on a port. */
export function createApp<Services>(options: HttpOptions<Services>): Hono {
  const app = new Hono();
  app.use(requireLoopback);
  // Before any body is read: who has no token must not keep the server waiting for one.
  if (options.tokens) app.use(requireLink(options.tokens));
  app.use(limitBody);
  app.use(addHeaders(commonHeaders(false)));
  app.all("/mcp", (context) => options.mcp(context.req.raw));
  const { status, board, noteReader } = options;
  // Whatever else is asked for may show words by others.
  if (noteReader)
    app.use(async (context, next) => {
      if (!isFromPage(context, options.tokens !== undefined))
        await noteReader(context.req.raw.method, context.req.path);
      return next();
    });
  if (board) {
    serveBoard(app, board, ["/", boardPath, `${boardPath}/*`]);
    const isUser = (context: Context) => isFromPage(context, options.tokens !== undefined);
    serveTools(app, { readTool: board.readTool, isUser }, wordForHttp(options.routes, options.commandLine));
    board.events.serve(app);
  }
  if (status) {
    app.get(board ? "/status" : "/", async (context) => {
      context.header("content-security-policy", statusPagePolicy);
      context.header("x-content-type-options", "nosniff");
      context.header("cache-control", "no-store");
      return context.html(statusPage(await status()));
    });
  }
  serveRoutes(app, options);
  return app;
}
