/** A typical server: one tool on the official SDK with zod schemas. The benchmark bundles it into one file. */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const text = z.object({ text: z.string().max(1000) });

serveStdio(() => {
  const server = new McpServer({ name: "one-tool", version: "1.0.0" });
  const echo = { title: "Echo", description: "Answers with the text.", inputSchema: text, outputSchema: text };
  server.registerTool("echo", echo, async (given) => ({
    content: [{ type: "text", text: JSON.stringify(given) }],
    structuredContent: given,
  }));
  return server;
});
