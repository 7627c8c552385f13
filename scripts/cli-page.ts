import { commandFacts } from "../src/app/commands/command-facts.ts";
import { settingsSource } from "../src/app/settings/source.ts";
import { commonOptionsOf } from "../src/hosts/cli/common-options.ts";
import { showHelp, showOverview } from "../src/hosts/cli/help.ts";
import { usedSettings } from "../src/hosts/cli/run-cli.ts";
import type { CommandFacts, Output } from "../src/kernel/definitions/command.ts";
import { noStyle } from "../src/platform/terminal/style.ts";

const commonOptions = commonOptionsOf(settingsSource.options);

/** docs/cli.md: every command's own help. */
export function cliPage(): string {
  const listed = commandFacts.all().filter(({ hidden }) => !hidden);
  const pages = listed.map((facts) => `## forge ${facts.name}\n\n${block((out) => help(facts, out))}`);
  return `# The command line

Generated from the commands by \`npm run generate\`; do not edit. \`forge help COMMAND\` shows the same.

You can also use every tool, prompt and resource of an assistant from a shell: \`forge call\`, \`forge prompt\` and \`forge resource\`.
\`--json\` makes any command print its result, or its error, as JSON on stdout; messages go to stderr. Exit codes: 0 for success, 1
for something you can correct, 2 for a server, network or store that failed, and 128 plus the signal's number if the command was interrupted.

${block((out) => showOverview(commandFacts.all(), "all", commonOptions, out))}

${pages.join("\n\n")}
`;
}

function help(facts: CommandFacts, out: Output): number {
  const variables = settingsSource.variables(usedSettings(facts));
  return showHelp(facts, { all: commandFacts.all(), commonOptions, variables }, out);
}

function block(show: (out: Output) => number): string {
  let text = "";
  show({
    json: false,
    width: undefined,
    signal: new AbortController().signal,
    style: noStyle,
    print(line) {
      text += `${line}\n`;
    },
    data(value, human) {
      text += `${human(value)}\n`;
    },
    exact: () => true,
    note: () => undefined,
    progress: () => undefined,
  });
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}
