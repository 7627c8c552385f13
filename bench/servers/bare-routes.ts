/** The floor of a server with tickets: two routes on Hono, each with one statement on Forge's drivers, and nothing else. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bareStore } from "./bare-store.ts";

const [, , folder = "", databaseUrl] = process.argv;

async function start(): Promise<void> {
  const { find, rename } = await bareStore(folder, databaseUrl);
  const app = new Hono();
  app.get("/api/tickets/:id", async (context) => {
    const document = await find(context.req.param("id"));
    return document === undefined ? context.notFound() : context.json(JSON.parse(document));
  });
  app.patch("/api/tickets/:id", async (context) => {
    const { title } = await context.req.json<{ title: string }>();
    const document = await rename(context.req.param("id"), title);
    return document === undefined ? context.notFound() : context.json({ ...JSON.parse(document), title });
  });
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
  process.stdin.resume().once("end", () => process.exit(0));
}

void start();
