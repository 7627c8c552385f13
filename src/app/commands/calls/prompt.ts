import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";

export const prompt = defineCommand({
  name: "prompt",
  summary: "Print a prompt that Forge offers to assistants",
  details:
    "Without a name, it lists all prompts. Write arguments as KEY=VALUE. The text of the messages is printed, so that you can " +
    "pipe it into an assistant; --json has the full messages with their roles.",
  examples: [
    ["forge prompt", "List all prompts."],
    ["forge prompt --json", "The same list, for a script."],
  ],
  arguments: [
    { name: "name", required: false, help: "The prompt's name; without one, all prompts are listed." },
    { name: "key=value", required: false, rest: true, help: "Its arguments; `forge prompt NAME --help` shows them." },
  ],
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "look",
  async helpOn(app: App, [name], out) {
    if (name === undefined) return false;
    const { showPromptHelp } = await import("./index.ts");
    showPromptHelp(app, name, out);
    return true;
  },
  async complete(app: App, { positionals: [name, ...words] }) {
    const prompts = app.tools.catalog.flatMap(({ prompts }) => prompts);
    if (name === undefined) return prompts.map((entry) => ({ value: entry.name, help: entry.title }));
    const open = prompts.find((entry) => entry.name === name)?.arguments ?? [];
    return open
      .filter((argument) => !words.some((word) => word.startsWith(`${argument.name}=`)))
      .map(({ name: key, description }) => ({ value: `${key}=`, ...(description && { help: description }) }));
  },
  async run(app: App, { positionals: [name, ...words] }, out) {
    if (name === undefined) {
      const { listPrompts } = await import("./index.ts");
      listPrompts(app.tools.catalog, out);
      return 0;
    }
    const { runPrompt } = await import("./index.ts");
    return runPrompt(app, name, words, out);
  },
});
