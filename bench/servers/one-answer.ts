/**
 * The one-tool server with a tool that returns a ticket, a page of tickets or a file. The answer is
 * prepared, with the same bytes and schema as Forge's.
 */
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { forgeGetGovernance } from "../../src/rooms/governance/tools/contracts/forge-get-governance.ts";
import { fractaryForgeAgentList } from "../../src/rooms/registry/tools/agent/fractary-forge-agent-list.ts";
import { ticketContext } from "../../src/rooms/tickets/reading/context-schemas.ts";
import { ticketSummary } from "../../src/rooms/tickets/reading/summary-schema.ts";
import { forgeReadFile } from "../../src/rooms/workbench/tools/files/forge-read-file.ts";
import type { AnswerKind } from "../builds.ts";

const page = z.object({ tickets: z.array(ticketSummary).max(200), nextCursor: z.string().max(200).optional() });
const schemas: Record<AnswerKind, z.ZodObject> = {
  context: ticketContext,
  page,
  file: forgeReadFile.output,
  governance: forgeGetGovernance.output,
  agents: fractaryForgeAgentList.output,
};
const [, , kind = "", file = ""] = process.argv;
const outputSchema = schemas[kind as AnswerKind];
const answer = outputSchema.parse(JSON.parse(readFileSync(file, "utf8")));

serveStdio(() => {
  const server = new McpServer({ name: "one-answer", version: "1.0.0" });
  const inputSchema = z.object({ id: z.string().max(100) });
  const known = { title: "Answer", description: "Answers with what it has.", inputSchema, outputSchema };
  server.registerTool("answer", known, async () => ({
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer,
  }));
  return server;
});
