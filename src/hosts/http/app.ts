import { Hono } from "hono";
import { loopbackOnly } from "./guard.ts";
import { type RouteOptions, serveRoutes } from "./routes.ts";
import { type Status, statusPage, statusPagePolicy } from "./status-page.ts";

export type HttpOptions<Services> = RouteOptions<Services> & {
  /** The MCP endpoint, as a web-standard handler. */
  mcp(request: Request): Promise<Response>;
  /** What the page at `/` shows; absent where only MCP is served. */
  status: (() => Promise<Status>) | undefined;
};

/** Everything the program serves over HTTP. Tests call `app.request`; {@link listen} puts it on a port. */
export function createApp<Services>(options: HttpOptions<Services>): Hono {
  const app = new Hono();
  app.use(loopbackOnly);
  app.all("/mcp", (context) => options.mcp(context.req.raw));
  const { status } = options;
  if (status) {
    app.get("/", async (context) => {
      context.header("content-security-policy", statusPagePolicy);
      context.header("x-content-type-options", "nosniff");
      context.header("cache-control", "no-store");
      return context.html(statusPage(await status()));
    });
  }
  serveRoutes(app, options);
  return app;
}
