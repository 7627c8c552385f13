import type { App } from "../../commons/cli/app.ts";
import { commonOptionsOf } from "../../hosts/cli/common-options.ts";
import { completeLine } from "../../hosts/cli/completion/index.ts";
import { defineCommand } from "../../kernel/definitions/command.ts";
import { plain } from "../../platform/terminal/text.ts";
import { settingsSource } from "../settings/source.ts";

/**
 * What the scripts of `forge completion` ask at every Tab: `forge __complete -- WORDS`, the last word being typed. A line for
 * each candidate, its meaning after a tab, and a last line that says whether the shell should offer paths instead.
 */
export const shellComplete = defineCommand({
  name: "__complete",
  summary: "Complete a command line",
  examples: [],
  arguments: [{ name: "word", required: false, rest: true, help: "The words of the command line, without `forge`." }],
  settings: [],
  group: "more",
  hidden: true,
  async run(app: App, { positionals }, out) {
    const known = { app, source: app.commands, commonOptions: commonOptionsOf(settingsSource.options) };
    const completion = await completeLine(known, positionals);
    out.data(completion, ({ candidates, next }) =>
      [...candidates.map(({ value, help = "" }) => `${value}\t${plain(help)}`), `:${next}`].join("\n"),
    );
    return 0;
  },
});
