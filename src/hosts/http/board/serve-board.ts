import type { Context, Hono } from "hono";
import type { BoardFile, BoardFiles } from "./board-files.ts";

export type BoardOptions = {
  files: BoardFiles;
  /** What the page needs to know before it shows anything; undefined where nobody is signed in. */
  start(context: Context): Promise<Record<string, unknown> | undefined>;
  /** Where the page is sent if nobody is signed in. */
  signIn?: string;
};

export const boardPath = "/board";
const assetsPath = "/assets";

/** The page loads its own script and style and talks to its own server, and nothing else. */
const boardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The board: one page for all its addresses, its files, and what it starts with. */
export function serveBoard(app: Hono, options: BoardOptions, paths = [boardPath, `${boardPath}/*`]): void {
  const { files, start, signIn } = options;
  const page = pageOf(files);
  for (const path of paths) {
    app.get(path, async (context) => {
      context.header("cache-control", "no-store");
      if (signIn !== undefined && !(await start(context))) return context.redirect(signInFor(context, signIn), 303);
      setHeaders(context);
      return context.html(page);
    });
  }
  app.get("/api/board", async (context) => {
    context.header("cache-control", "no-store");
    const facts = await start(context);
    return facts ? context.json(facts) : context.json({ code: "AUTH_REQUIRED", message: "Sign in first." }, 401);
  });
  const byName = new Map(files.files.map((file) => [file.name, file]));
  app.get(`${assetsPath}/:name`, (context) => {
    const file = byName.get(context.req.param("name"));
    return file ? sendFile(context, file) : context.notFound();
  });
}

/** With the page that was asked for, to come back to. */
function signInFor({ req }: Context, signIn: string): string {
  const { pathname, search } = new URL(req.url);
  return `${signIn}?${new URLSearchParams({ to: `${pathname}${search}` })}`;
}

function setHeaders(context: Context): void {
  context.header("content-security-policy", boardPolicy);
  context.header("x-content-type-options", "nosniff");
  context.header("referrer-policy", "no-referrer");
}

function sendFile(context: Context, { name, text, gzip }: BoardFile): Response {
  setHeaders(context);
  context.header("cache-control", "public, max-age=31536000, immutable");
  context.header("content-type", `${name.endsWith(".css") ? "text/css" : "text/javascript"}; charset=utf-8`);
  context.header("vary", "Accept-Encoding");
  if (!/\bgzip\b/.test(context.req.header("accept-encoding") ?? "")) return context.body(text);
  context.header("content-encoding", "gzip");
  return context.body(new Uint8Array(Buffer.from(gzip, "base64")));
}

function pageOf({ script, style, worker }: BoardFiles): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="forge-events" content="${assetsPath}/${worker}">
<title>Forge</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetsPath}/${style}">
<script type="module" src="${assetsPath}/${script}"></script>
</head>
<body><div id="app"><noscript>The board needs JavaScript.</noscript></div></body>
</html>
`;
}
