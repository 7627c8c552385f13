/** Lists and calls Forge's tools through LangChain's adapters, with the configuration file it is given. */
import { readFileSync } from "node:fs";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const [, , file, tool, all] = process.argv;
const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
const client = new MultiServerMCPClient({ mcpServers, throwOnLoadError: true });
const tools = await client.getTools();
const result = await tools.find(({ name }) => name === tool)?.invoke({});
// A tool that lacks an argument answers too, with an error.
const answers = all ? await Promise.allSettled(tools.map((each) => each.invoke({}))) : [];
const answered = answers.filter(({ reason }) => !/timed? ?out|closed/i.test(String(reason ?? ""))).length;
console.log(JSON.stringify({ answered, tools: tools.map(({ name }) => name), result }));
await client.close();
