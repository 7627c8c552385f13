import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";
import { completeArguments, listTools, runCall, showToolHelp } from "./index.ts";

export const call = defineCommand({
  name: "call",
  summary: "Call any tool as an assistant would",
  details:
    "Without a tool, it lists all tools. Write arguments as KEY=VALUE; KEY=A,B is a list, KEY.INNER=VALUE a part of an object, " +
    "and KEY:=JSON any value as JSON. The result is printed as JSON. The call is recorded in the ledger, like an assistant's.",
  examples: [
    ["forge call", "List all tools."],
    ["forge call get_repository_context --help", "Help for a tool, with its arguments."],
    ["forge call get_repository_context", "Call it."],
    ["forge call get_repository_context path=.", "Call it with an argument."],
    ['echo \'{"path":"."}\' | forge call get_repository_context --input -', "Give all arguments as JSON."],
  ],
  arguments: [
    { name: "tool", required: false, help: "The tool's name; without one, all tools are listed." },
    { name: "key=value", required: false, rest: true, help: "Its arguments; `forge call TOOL --help` shows them." },
  ],
  options: {
    input: {
      type: "string",
      value: "FILE",
      path: "file",
      help: "Arguments as one JSON object; - reads standard input.",
    },
  },
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "look",
  async helpOn(app: App, [name], out) {
    if (name === undefined) return false;
    showToolHelp(await app.tools.describe(name), out);
    return true;
  },
  async complete(app: App, { positionals: [name, ...words], typed, option }) {
    if (option !== undefined) return [];
    const tools = app.tools.catalog.flatMap(({ tools }) => tools);
    if (name === undefined) return tools.map((tool) => ({ value: tool.name, help: tool.title }));
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) return [];
    return completeArguments(tool.inputSchema, words, typed);
  },
  async run(app: App, { positionals: [tool, ...words], options }, out) {
    if (tool === undefined) {
      listTools(app.tools.catalog, out);
      return 0;
    }
    return runCall(app, { tool, words, input: options.input }, out);
  },
});
