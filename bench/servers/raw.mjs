// The floor: the least a Node process can do as an MCP server with one tool.
import { createInterface } from "node:readline";

const schema = { type: "object", properties: { text: { type: "string", maxLength: 1000 } }, required: ["text"] };
const tool = { name: "echo", description: "Answers with the text.", inputSchema: schema, outputSchema: schema };

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "raw", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: { text } }) => ({
    content: [{ type: "text", text: JSON.stringify({ text }) }],
    structuredContent: { text },
  }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) })}\n`);
});
