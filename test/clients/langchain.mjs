/** Lists and calls Forge's tools through LangChain's adapters, with the configuration file it is given. */
import { readFileSync } from "node:fs";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const [, , file, tool, inputs] = process.argv;
const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
const client = new MultiServerMCPClient({ mcpServers, throwOnLoadError: true });
const tools = await client.getTools();
const result = await tools.find(({ name }) => name === tool)?.invoke({});
const failed = [];
for (const each of inputs ? tools : []) {
  await each
    .invoke(JSON.parse(inputs)[each.name] ?? {})
    .catch((error) => failed.push(`${each.name}: ${error.message}`));
}
console.log(JSON.stringify({ failed, tools: tools.map(({ name }) => name), result }));
await client.close();
