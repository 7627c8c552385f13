/** The one-tool server again, with a tool that answers with what it was started with: the floor for an answer of that size. */
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const answer = z.looseObject({}).parse(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));

serveStdio(() => {
  const server = new McpServer({ name: "one-answer", version: "1.0.0" });
  const known = {
    title: "Answer",
    description: "Answers with what it has.",
    inputSchema: z.object({ id: z.string().max(100) }),
    outputSchema: z.looseObject({}),
  };
  server.registerTool("answer", known, async () => ({
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer,
  }));
  return server;
});
