import { type Command, defineCommand } from "../../../kernel/command.ts";
import type { App } from "../app.ts";
import { plain } from "../text.ts";

/**
 * What the scripts of `forge completion` ask at every Tab: `forge __complete -- WORDS`, the last word being typed. A line for
 * each candidate, its meaning after a tab, and a last line that says whether the shell should offer paths instead.
 */
export function shellCompleteFor(commands: () => readonly Command<App>[]) {
  return defineCommand({
    name: "__complete",
    summary: "Say what could stand next on a command line",
    examples: [],
    arguments: [{ name: "word", required: false, rest: true, help: "The command line's words, without `forge`." }],
    settings: [],
    group: "more",
    hidden: true,
    async run(app: App, { positionals }, out) {
      const { completeLine } = await import("../completion/index.ts");
      const completion = await completeLine(app, commands(), positionals);
      out.data(completion, ({ candidates, next }) =>
        [...candidates.map(({ value, help = "" }) => `${value}\t${plain(help)}`), `:${next}`].join("\n"),
      );
      return 0;
    },
  });
}
