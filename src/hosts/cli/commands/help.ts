import { type Command, defineCommand } from "../../../kernel/command.ts";
import type { App } from "../app.ts";
import { partIn, partWords } from "../parts.ts";
import { complete } from "../signature.ts";
import { unknownCommand, unwantedArgument } from "../usage-errors.ts";

/** Help knows all commands, itself among them; they are handed in to keep the imports free of circles. */
export function helpFor(commands: () => readonly Command<App>[]) {
  const listed = () => commands().filter(({ hidden }) => !hidden);
  return defineCommand({
    name: "help",
    summary: "Show what Forge or one of its commands is for",
    examples: [
      ["forge help log", "The same as `forge log --help`."],
      ["forge help task list", "Of one of several commands behind a word."],
    ],
    arguments: [{ name: "command", required: false, rest: true, help: "The command to explain." }],
    settings: [],
    group: "more",
    async complete(_app: App, { positionals: [name, ...more] }) {
      if (name === undefined) return listed().map(({ name: value, summary }) => ({ value, help: summary }));
      const command = listed().find((candidate) => candidate.name === name);
      return more.length === 0 ? partWords((await command?.parts?.()) ?? []) : [];
    },
    async run(app: App, { positionals: [name, ...more] }, out) {
      const { showHelp, showOverview } = await import("../help.ts");
      if (name === undefined) return showOverview(commands(), out);
      const first = commands().find((candidate) => candidate.name === name);
      if (!first) {
        throw unknownCommand(
          name,
          listed().map((candidate) => candidate.name),
        );
      }
      const { command, rest } = await partIn(first, more, () => app);
      const [tooMany] = rest;
      if (tooMany !== undefined) throw unwantedArgument(tooMany, command === first ? 1 : 2, "help");
      return showHelp(
        complete(command, () => app),
        out,
      );
    },
  });
}
