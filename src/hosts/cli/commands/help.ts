import { type Command, defineCommand } from "../../../kernel/command.ts";
import type { App } from "../app.ts";
import { showHelp, showOverview } from "../help.ts";
import { complete } from "../signature.ts";
import { unknownCommand } from "../usage-errors.ts";

/** Help knows all commands, itself among them; they are handed in to keep the imports free of circles. */
export function helpFor(commands: () => readonly Command<App>[]) {
  return defineCommand({
    name: "help",
    summary: "Show what Forge or one of its commands is for",
    examples: [["forge help log", "The same as `forge log --help`."]],
    arguments: [{ name: "command", required: false, help: "The command to explain." }],
    settings: [],
    group: "more",
    complete: async () =>
      commands()
        .filter(({ hidden }) => !hidden)
        .map(({ name, summary }) => ({ value: name, help: summary })),
    async run(app: App, { positionals: [name] }, out) {
      if (name === undefined) return showOverview(commands(), out);
      const command = commands().find((candidate) => candidate.name === name);
      if (command)
        return showHelp(
          complete(command, () => app),
          out,
        );
      throw unknownCommand(
        name,
        commands()
          .filter(({ hidden }) => !hidden)
          .map((candidate) => candidate.name),
      );
    },
  });
}
