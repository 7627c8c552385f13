/** Lists and calls Forge's tools through LangChain's adapters, with the configuration file it is given. */
import { readFileSync } from "node:fs";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const [, , file, tool] = process.argv;
const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
const client = new MultiServerMCPClient({ mcpServers, throwOnLoadError: true });
const tools = await client.getTools();
const result = await tools.find(({ name }) => name === tool)?.invoke({});
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), result }));
await client.close();
